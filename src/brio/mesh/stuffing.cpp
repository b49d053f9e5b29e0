#include "brio/mesh/stuffing.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/stuffing_lattice.hpp"
#include "brio/mesh/stuffing_stencils.hpp"
#include "brio/mesh/surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brio {
namespace {

// How near to a lattice point, as a part of the edge, a cut must be to draw the point to itself. Table 1 of the paper
// proves angles from 10.78 to 164.74 degrees for these.
constexpr double kNearOnLong = 0.24999, kNearOnShort = 0.41189;

constexpr double kCutTolerance = 1e-6;  // of an edge: the error in volume is far below that of flat triangles

// Edges that dip into a round surface by less than this part of a cell have lost nothing worth telling.
constexpr double kGrazing = 0.05;

class Stuffing {
 public:
  Stuffing(const SignedDistance& body, double size) : body_(body), lattice_(body, size) {
    evaluate();
    find_cuts();
    draw_points_to_cuts();
    number_vertices();
  }

  int vertices() const { return vertices_; }

  StuffedMesh mesh() const {
    StuffedMesh result;
    result.size = lattice_.size();
    const auto tets = cut_tets();
    size_t total = 0;
    for (const auto& part : tets) total += part.size();
    require_count("mesher", static_cast<double>(total), "use a larger size");
    if (total == 0) {
      throw Error("size = {:.4g} m is too large: no point of the lattice is inside of the shape", lattice_.size());
    }
    std::vector<std::array<int, 4>> all;
    all.reserve(total);
    for (const auto& part : tets) all.insert(all.end(), part.begin(), part.end());
    result.mesh = finish_mesh("mesher", places(), all, "report this shape: it should not be possible");
    result.components = connected_components(result.mesh).count;
    result.thin_edges = thin_edges_;
    result.first_thin = first_thin_;
    return result;
  }

 private:
  static constexpr int kNone = -1;

  int side(int i) const { return i < 0 ? 1 : side_[i]; }
  Vec3 along(const LatticePoint& p, int direction, double t) const {
    return lattice_.place(Vec3(p.cast<double>() + t * lattice_step(direction).cast<double>()));
  }

  void evaluate() {
    const int near = lattice_.points_near_surface();
    side_.assign(lattice_.points(), -1);
    value_.resize(near);
    parallel_for(near, 256, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        value_[i] = body_.value(lattice_.place(lattice_.point(i)));
        side_[i] = value_[i] < 0 ? -1 : value_[i] == 0 ? 0 : 1;
      }
    });
  }

  /// A zero of the distance between two points, by false position with the Illinois correction, kept from stalling by
  /// bisection. Works for jumps as well.
  double root(const LatticePoint& p, int direction, double at_start, double at_end) const {
    double low = 0, high = 1;
    int kept = 0;
    for (int iteration = 0; iteration < 60 && high - low > kCutTolerance; ++iteration) {
      double t = iteration % 4 == 3 ? 0.5 * (low + high) : low + (high - low) * at_start / (at_start - at_end);
      t = std::clamp(t, low + 0.01 * (high - low), high - 0.01 * (high - low));
      const double value = body_.value(along(p, direction, t));
      if (std::fabs(value) < kCutTolerance * lattice_.size()) return t;
      if ((value < 0) == (at_start < 0)) {
        low = t, at_start = value;
        if (kept == 1) at_end *= 0.5;
        kept = 1;
      } else {
        high = t, at_end = value;
        if (kept == -1) at_start *= 0.5;
        kept = -1;
      }
    }
    return 0.5 * (low + high);
  }

  void find_cuts() {
    const int near = lattice_.points_near_surface();
    cut_place_.assign(size_t(near) * kEdges, 0);
    std::vector<std::vector<Vec3>> thin((near + kChunk - 1) / kChunk);
    parallel_for(near, kChunk, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const LatticePoint p = lattice_.point(i);
        for (int d = 0; d < kEdges; ++d) {
          const int j = lattice_.index(p + lattice_step(d));
          if (j < 0 || j >= near || side_[i] == 0 || side_[j] == 0) continue;
          if (side_[i] != side_[j]) {
            cut_place_[size_t(i) * kEdges + d] = root(p, d, value_[i], value_[j]);
          } else if (is_thin(p, d, value_[i], value_[j])) {
            thin[begin / kChunk].push_back(along(p, d, 0.5));
          }
        }
      }
    });
    for (const auto& part : thin) {
      if (thin_edges_ == 0 && !part.empty()) first_thin_ = part[0];
      thin_edges_ += static_cast<int>(part.size());
    }
  }

  /// Only where the two distances leave room for the surface need the middle be looked at.
  bool is_thin(const LatticePoint& p, int direction, double at_start, double at_end) const {
    const double length = (is_long(direction) ? 1 : std::sqrt(0.75)) * lattice_.size();
    if (std::fabs(at_start) + std::fabs(at_end) > length) return false;
    const double middle = body_.value(along(p, direction, 0.5));
    return middle * at_start < 0 && std::fabs(middle) > kGrazing * lattice_.size();
  }

  /// One after the other: a point on the surface leaves no cuts on its edges, and its neighbours may stay.
  void draw_points_to_cuts() {
    const int near = lattice_.points_near_surface();
    drawn_by_.assign(near, 0);
    drawn_to_.assign(near, kNone);
    for (int i = 0; i < near; ++i) {
      if (side_[i] == 0) continue;
      const LatticePoint p = lattice_.point(i);
      double nearest = 1;
      for (int d = 0; d < 2 * kEdges; ++d) {
        const int j = lattice_.index(p + lattice_step(d));
        if (side(j) * side_[i] >= 0) continue;
        const double t =
            d < kEdges ? cut_place_[size_t(i) * kEdges + d] : 1 - cut_place_[size_t(j) * kEdges + d - kEdges];
        const double length = is_long(d) ? 1 : std::sqrt(0.75);
        if (t >= (is_long(d) ? kNearOnLong : kNearOnShort) || t * length >= nearest) continue;
        nearest = t * length;
        drawn_to_[i] = static_cast<std::int8_t>(d);
        drawn_by_[i] = t;
      }
      if (drawn_to_[i] != kNone) side_[i] = 0;
    }
  }

  bool has_neighbour_inside(const LatticePoint& p) const {
    for (int d = 0; d < 2 * kEdges; ++d)
      if (side(lattice_.index(p + lattice_step(d))) < 0) return true;
    return false;
  }

  /// Points inside, points on the surface with one inside beside them, and cuts, brick by brick.
  void number_vertices() {
    const int near = lattice_.points_near_surface();
    vertex_.assign(lattice_.points(), kNone);
    cut_vertex_.assign(size_t(near) * kEdges, kNone);
    for (int i = 0; i < lattice_.points(); ++i) {
      if (side_[i] > 0 && i >= near) continue;
      const LatticePoint p = lattice_.point(i);
      if (side_[i] < 0 || (side_[i] == 0 && has_neighbour_inside(p))) vertex_[i] = vertices_++;
      if (i >= near || side_[i] == 0) continue;
      for (int d = 0; d < kEdges; ++d)
        if (side(lattice_.index(p + lattice_step(d))) * side_[i] < 0) cut_vertex_[size_t(i) * kEdges + d] = vertices_++;
    }
  }

  MatrixX3d places() const {
    MatrixX3d X(vertices_, 3);
    parallel_for(lattice_.points(), kChunk, [&](int begin, int end) {
      const int near = lattice_.points_near_surface();
      for (int i = begin; i < end; ++i) {
        const LatticePoint p = lattice_.point(i);
        const bool drawn = i < near && drawn_to_[i] != kNone;
        if (vertex_[i] != kNone) X.row(vertex_[i]) = drawn ? along(p, drawn_to_[i], drawn_by_[i]) : lattice_.place(p);
        for (int d = 0; d < kEdges && i < near; ++d) {
          const size_t edge = size_t(i) * kEdges + d;
          if (cut_vertex_[edge] != kNone) X.row(cut_vertex_[edge]) = along(p, d, cut_place_[edge]);
        }
      }
    });
    return X;
  }

  /// Neighbours along a long edge are one even, one odd.
  static bool is_even(const LatticePoint& p) { return ((p[0] >> 1) + (p[1] >> 1) + (p[2] >> 1)) % 2 == 0; }

  /// Corner numbers and cuts of a tetrahedron of the lattice.
  CutTet describe(const std::array<LatticePoint, 4>& corner) const {
    CutTet tet;
    std::array<int, 4> index;
    for (int a = 0; a < 4; ++a) {
      index[a] = lattice_.index(corner[a]);
      tet.side[a] = side(index[a]);
      tet.even[a] = is_even(corner[a]);
      tet.vertex[a] = index[a] < 0 ? kNone : vertex_[index[a]];
    }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (tet.side[a] < 0 && tet.side[b] > 0)
          tet.cut[a][b] = tet.cut[b][a] = cut_between(corner[a], index[a], corner[b], index[b]);
    return tet;
  }

  int cut_between(const LatticePoint& p, int i, const LatticePoint& q, int j) const {
    for (int d = 0; d < kEdges; ++d) {
      if (q - p == lattice_step(d)) return cut_vertex_[size_t(i) * kEdges + d];
      if (p - q == lattice_step(d)) return cut_vertex_[size_t(j) * kEdges + d];
    }
    return kNone;
  }

  /// Around the line between the centres of two cubes that share a face lie four tetrahedra, one for each edge of the
  /// face. Every cube is responsible for three of its faces.
  std::vector<std::vector<std::array<int, 4>>> cut_tets() const {
    const int bricks = lattice_.points() / StuffingLattice::kPointsPerBrick;
    std::vector<std::vector<std::array<int, 4>>> pieces(bricks);
    parallel_for(bricks, 8, [&](int begin, int end) {
      for (int brick = begin; brick < end; ++brick)
        for (int i = 1; i < StuffingLattice::kPointsPerBrick; i += 2)
          add_around(lattice_.point(brick * StuffingLattice::kPointsPerBrick + i), pieces[brick]);
    });
    return pieces;
  }

  void add_around(const LatticePoint& centre, std::vector<std::array<int, 4>>& pieces) const {
    for (int axis = 0; axis < 3; ++axis) {
      const LatticePoint e = LatticePoint::Unit(axis), u = LatticePoint::Unit((axis + 1) % 3),
                         v = LatticePoint::Unit((axis + 2) % 3);
      const std::array<LatticePoint, 4> face{centre + e - u - v, centre + e + u - v, centre + e + u + v,
                                             centre + e - u + v};
      for (int k = 0; k < 4; ++k) add_pieces(describe({centre, centre + 2 * e, face[k], face[(k + 1) % 4]}), pieces);
    }
  }

  static constexpr int kChunk = 1024;
  const SignedDistance& body_;
  StuffingLattice lattice_;
  std::vector<std::int8_t> side_;      ///< per point: -1 inside, 0 on the surface, 1 outside
  std::vector<double> value_;          ///< per point near the surface [m]
  std::vector<double> cut_place_;      ///< per owned edge of a point near the surface: where it is cut, 0 … 1
  std::vector<double> drawn_by_;       ///< per point near the surface: as a part of the edge
  std::vector<std::int8_t> drawn_to_;  ///< along which edge, or kNone
  std::vector<int> vertex_, cut_vertex_;
  int vertices_ = 0;
  int thin_edges_ = 0;
  Vec3 first_thin_ = Vec3::Zero();
};

/// How the number of vertices grows with finer cells: those inside with the volume, those on the surface with its area.
class VertexCountModel {
 public:
  void add(double size, int vertices) {
    older_ = newer_;
    newer_ = {1 / size, static_cast<double>(vertices)};
  }

  /// The size for which so many vertices are expected.
  double size_for(double vertices) const {
    const auto [y, n] = newer_;
    double volume = n / (y * y * y), area = 0;
    if (older_.vertices > 0 && older_.fineness != y) {
      const double m = older_.vertices / (older_.fineness * older_.fineness), per_area = n / (y * y);
      volume = (per_area - m) / (y - older_.fineness);
      area = per_area - volume * y;
      if (!(volume > 0 && area > 0)) volume = n / (y * y * y), area = 0;
    }
    double low = 0, high = 1;
    const auto expected = [&](double fineness) { return fineness * fineness * (area + volume * fineness); };
    while (expected(high) < vertices) high *= 2;
    for (int i = 0; i < 100; ++i) (expected(0.5 * (low + high)) < vertices ? low : high) = 0.5 * (low + high);
    return 1 / high;
  }

 private:
  struct Trial {
    double fineness = 0, vertices = 0;  ///< [1/m], [1]
  };
  Trial older_, newer_;
};

constexpr int kFirstTrial = 2000, kGrowth = 8;  // vertices; cheap trials before dear ones
constexpr double kCloseEnough = 0.02;

/// The size whose mesh comes nearest to that many vertices.
double find_size(const SignedDistance& body, int vertices, const StuffingProgress& progress) {
  double want = std::min(vertices, kFirstTrial);
  double size = std::cbrt(2 * std::max(body.bounds().volume(), 1e-300) / want);  // a cube has two points
  double best = 0, least_error = INFINITY;
  double too_small = 0, too_large = INFINITY;  // sizes known to give too many vertices, or too few
  int empty = 0;
  VertexCountModel model;
  for (int trial = 0; trial < 20 && least_error > kCloseEnough; ++trial) {
    const int count = Stuffing(body, size).vertices();
    if (progress) progress(fmt::format("size {:.4g} m gives {} vertices", size, count));
    const double error = std::fabs(count - vertices) / vertices;
    if (count > 0 && error < least_error) least_error = error, best = size;
    if (count > vertices) too_small = std::max(too_small, size);
    if (count < vertices) too_large = std::min(too_large, size);
    if (count < 10) {
      if (++empty > 8) break;
      size *= 0.6;
      continue;
    }
    model.add(size, count);
    want = std::min<double>(vertices, double{kGrowth} * std::max(count, kFirstTrial / kGrowth));
    size = model.size_for(want);
    // Counts go up in steps; where the model lands on a size that is known to be wrong, the middle is tried.
    if (too_small > 0 && std::isfinite(too_large) && !(size > too_small && size < too_large)) {
      size = 0.5 * (too_small + too_large);
    }
  }
  if (best == 0) throw Error("the shape is empty, or too thin to find a point inside");
  return best;
}

}  // namespace

std::vector<std::string> StuffedMesh::messages() const {
  std::vector<std::string> lines;
  if (thin_edges > 0) {
    lines.push_back(
        fmt::format("{} edges of the lattice pass through something thinner than a cell of {:.4g} m, the first near "
                    "[{:.4g}, {:.4g}, {:.4g}]; such parts, or gaps, may be lost; a smaller size keeps them",
                    thin_edges, size, first_thin[0], first_thin[1], first_thin[2]));
  }
  if (components > 1) {
    lines.push_back(fmt::format(
        "the mesh has {} parts that do not hang together; where the shape is one piece, a smaller size joins them",
        components));
  }
  return lines;
}

StuffedMesh stuff(const SignedDistance& body, const StuffingTarget& target, const StuffingProgress& progress) {
  if ((target.size > 0) == (target.vertices > 0)) throw Error("give either the size of a cell or a number of vertices");
  const double size = target.size > 0 ? target.size : find_size(body, target.vertices, progress);
  if (progress) progress(fmt::format("filling with cells of {:.4g} m", size));
  return Stuffing(body, size).mesh();
}

}  // namespace brio

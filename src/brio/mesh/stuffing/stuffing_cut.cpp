#include "brio/mesh/stuffing/stuffing_cut.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/stuffing/stuffing_root.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kChunk = 1024;  // points

/// Neighbors along a long edge are one even, one odd.
bool is_even(const LatticePoint& p) { return ((p[0] >> 1) + (p[1] >> 1) + (p[2] >> 1)) % 2 == 0; }

}  // namespace

CutLattice::CutLattice(const SignedDistance& body, double size, bool graded) : body_(body), lattice_(body, size) {
  evaluate();
  find_cuts();
  draw_points_to_cuts();
  if (graded) grading_.emplace(lattice_, side_);
  number_vertices();
}

StuffedMesh CutLattice::mesh() const {
  StuffedMesh result;
  result.size = lattice_.size();
  const MatrixX3d X = places();
  const auto tets = cut_tets(X);
  size_t total = 0;
  for (const auto& part : tets) total += part.size();
  require_count("mesher", static_cast<double>(total), "use a larger size");
  if (total == 0) {
    throw Error("size = {:.4g} m is too large: no point of the lattice is inside of the shape", lattice_.size());
  }
  std::vector<std::array<int, 4>> all;
  all.reserve(total);
  for (const auto& part : tets) all.insert(all.end(), part.begin(), part.end());
  result.mesh = finish_mesh("mesher", X, all, "report this shape: it should not be possible");
  result.lost_places = lost_places_;
  result.first_lost = first_lost_;
  return result;
}

std::vector<char> CutLattice::on_surface() const {
  std::vector<char> on(vertices_, 0);
  for (size_t i = 0; i < vertex_.size(); ++i)
    if (vertex_[i] != kNone && side_[i] == 0) on[vertex_[i]] = 1;
  for (int vertex : cut_vertex_)
    if (vertex != kNone) on[vertex] = 1;
  return on;
}

Vec3 CutLattice::along(const LatticePoint& p, int direction, double t) const {
  return lattice_.place(Vec3(p.cast<double>() + t * lattice_step(direction).cast<double>()));
}

void CutLattice::evaluate() {
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

void CutLattice::find_cuts() {
  const int near = lattice_.points_near_surface();
  cut_place_.assign(size_t(near) * kEdges, 0);
  std::vector<std::vector<Vec3>> lost((near + kChunk - 1) / kChunk);
  parallel_for(near, kChunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const LatticePoint p = lattice_.point(i);
      for (int d = 0; d < kEdges; ++d) {
        const int j = lattice_.index(p + lattice_step(d));
        if (j < 0 || j >= near || side_[i] == 0 || side_[j] == 0) continue;
        if (side_[i] != side_[j]) {
          cut_place_[edge(i, d)] = surface_crossing(
              body_, [&](double t) { return along(p, d, t); }, value_[i], value_[j], lattice_.size());
        } else if (is_lost(p, d, value_[i], value_[j])) {
          lost[begin / kChunk].push_back(along(p, d, 0.5));
        }
      }
    }
  });
  for (const auto& part : lost) {
    if (lost_places_ == 0 && !part.empty()) first_lost_ = part[0];
    lost_places_ += static_cast<int>(part.size());
  }
}

/// Whether the surface passes twice between two points on one side of it, and no point around is on the other side:
/// what is there leaves no trace in the mesh. Only where the two distances leave room need the middle be looked at.
bool CutLattice::is_lost(const LatticePoint& p, int direction, double at_start, double at_end) const {
  const double length = (is_long(direction) ? 1 : std::sqrt(0.75)) * lattice_.size();
  if (std::fabs(at_start) + std::fabs(at_end) > length) return false;
  if (!(body_.value(along(p, direction, 0.5)) * at_start < 0)) return false;
  const int own = at_start < 0 ? -1 : 1;
  for (const LatticePoint& end : {p, LatticePoint(p + lattice_step(direction))})
    for (int d = 0; d < 2 * kEdges; ++d)
      if (side(lattice_.index(end + lattice_step(d))) != own) return false;
  return true;
}

/// One after the other: a point on the surface leaves no cuts on its edges, and its neighbors may stay.
void CutLattice::draw_points_to_cuts() {
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
      const double t = d < kEdges ? cut_place_[edge(i, d)] : 1 - cut_place_[edge(j, d - kEdges)];
      const double length = is_long(d) ? 1 : std::sqrt(0.75);
      if (t >= (is_long(d) ? kNearOnLong : kNearOnShort) || t * length >= nearest) continue;
      nearest = t * length;
      drawn_to_[i] = static_cast<std::int8_t>(d);
      drawn_by_[i] = t;
    }
    if (drawn_to_[i] != kNone) side_[i] = 0;
  }
}

bool CutLattice::has_neighbor_inside(const LatticePoint& p) const {
  for (int d = 0; d < 2 * kEdges; ++d)
    if (side(lattice_.index(p + lattice_step(d))) < 0) return true;
  return false;
}

/// Points inside, points on the surface with one inside beside them, and cuts, brick by brick.
void CutLattice::number_vertices() {
  const int near = lattice_.points_near_surface();
  vertex_.assign(lattice_.points(), kNone);
  cut_vertex_.assign(size_t(near) * kEdges, kNone);
  for (int i = 0; i < lattice_.points(); ++i) {
    if (side_[i] > 0 && i >= near) continue;
    const LatticePoint p = lattice_.point(i);
    if ((side_[i] < 0 && is_used(i)) || (side_[i] == 0 && has_neighbor_inside(p))) vertex_[i] = vertices_++;
    if (i >= near || side_[i] == 0) continue;
    for (int d = 0; d < kEdges; ++d)
      if (side(lattice_.index(p + lattice_step(d))) * side_[i] < 0) cut_vertex_[edge(i, d)] = vertices_++;
  }
}

MatrixX3d CutLattice::places() const {
  MatrixX3d X(vertices_, 3);
  parallel_for(lattice_.points(), kChunk, [&](int begin, int end) {
    const int near = lattice_.points_near_surface();
    for (int i = begin; i < end; ++i) {
      const LatticePoint p = lattice_.point(i);
      const bool drawn = i < near && drawn_to_[i] != kNone;
      if (vertex_[i] != kNone) X.row(vertex_[i]) = drawn ? along(p, drawn_to_[i], drawn_by_[i]) : lattice_.place(p);
      for (int d = 0; d < kEdges && i < near; ++d) {
        const size_t e = edge(i, d);
        if (cut_vertex_[e] != kNone) X.row(cut_vertex_[e]) = along(p, d, cut_place_[e]);
      }
    }
  });
  return X;
}

/// Corner numbers and cuts of a tetrahedron of the lattice.
CutTet CutLattice::describe(const std::array<LatticePoint, 4>& corner) const {
  CutTet tet;
  std::array<int, 4> index;
  for (int a = 0; a < 4; ++a) {
    index[a] = lattice_.index(corner[a]);
    tet.side[a] = side(index[a]);
    tet.rank[a] = is_even(corner[a]) ? 0 : 1;
    tet.vertex[a] = index[a] < 0 ? kNone : vertex_[index[a]];
  }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      if (tet.side[a] < 0 && tet.side[b] > 0) {
        tet.cut[a][b] = tet.cut[b][a] = cut_between(corner[a], index[a], corner[b], index[b]);
        tet.length[a][b] = tet.length[b][a] = (corner[a] - corner[b]).squaredNorm();
      }
  return tet;
}

int CutLattice::cut_between(const LatticePoint& p, int i, const LatticePoint& q, int j) const {
  for (int d = 0; d < kEdges; ++d) {
    if (q - p == lattice_step(d)) return cut_vertex_[edge(i, d)];
    if (p - q == lattice_step(d)) return cut_vertex_[edge(j, d)];
  }
  return kNone;
}

/// Around the line between the centers of two cubes that share a face lie four tetrahedra, one for each edge of the
/// face. Every cube is responsible for three of its faces.
std::vector<std::vector<std::array<int, 4>>> CutLattice::cut_tets(const MatrixX3d& X) const {
  const int bricks = lattice_.points() / StuffingLattice::kPointsPerBrick;
  std::vector<std::vector<std::array<int, 4>>> pieces(bricks);
  parallel_for(bricks, 8, [&](int begin, int end) {
    for (int brick = begin; brick < end; ++brick)
      for (int i = 1; i < StuffingLattice::kPointsPerBrick; i += 2) {
        const LatticePoint center = lattice_.point(brick * StuffingLattice::kPointsPerBrick + i);
        add_around(center, X, pieces[brick]);
        if (grading_) add_graded(center, pieces[brick]);
      }
  });
  return pieces;
}

void CutLattice::add_around(const LatticePoint& center, const MatrixX3d& X,
                            std::vector<std::array<int, 4>>& pieces) const {
  const auto is_single = [&](const LatticePoint& c) { return !grading_ || grading_->level((c.array() - 1) / 2) == 0; };
  if (!is_single(center)) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_single(center + 2 * LatticePoint::Unit(axis))) continue;
    const LatticePoint e = LatticePoint::Unit(axis), u = LatticePoint::Unit((axis + 1) % 3),
                       v = LatticePoint::Unit((axis + 2) % 3);
    const std::array<LatticePoint, 4> face{center + e - u - v, center + e + u - v, center + e + u + v,
                                           center + e - u + v};
    for (int k = 0; k < 4; ++k) add_pieces(describe({center, center + 2 * e, face[k], face[(k + 1) % 4]}), X, pieces);
  }
}

/// Those of the cell that begins with this cube, if one does.
void CutLattice::add_graded(const LatticePoint& center, std::vector<std::array<int, 4>>& pieces) const {
  const GradedCells::Cube cube = (center.array() - 1) / 2;
  if (!grading_->begins(cube)) return;
  std::vector<std::array<LatticePoint, 4>> tets;
  grading_->add_tets(cube, tets);
  for (const auto& corners : tets) {
    std::array<int, 4> tet;
    for (int a = 0; a < 4; ++a) tet[a] = vertex_[lattice_.index(corners[a])];
    pieces.push_back(tet);
  }
}

}  // namespace brio

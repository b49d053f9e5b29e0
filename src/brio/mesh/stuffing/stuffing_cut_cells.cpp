#include "brio/mesh/stuffing/stuffing_cut_cells.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/stuffing/stuffing_grading.hpp"
#include "brio/mesh/stuffing/stuffing_root.hpp"
#include "brio/mesh/stuffing/stuffing_stencils.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace brio {
namespace {

using IndexTet = std::array<int, 4>;

/// Numbers points of the lattice in the order in which they are met, by open addressing.
class PointNumbers {
 public:
  explicit PointNumbers(size_t expected) {
    size_t size = 64;
    while (size < 2 * expected) size *= 2;
    slot_.assign(size, -1);
  }
  int add(const LatticePoint& p) {
    size_t at = find_slot(p);
    if (slot_[at] < 0) {
      if (2 * points.size() > slot_.size()) {
        slot_.assign(2 * slot_.size(), -1);
        for (size_t i = 0; i < points.size(); ++i) slot_[find_slot(points[i])] = static_cast<int>(i);
        at = find_slot(p);
      }
      slot_[at] = static_cast<int>(points.size());
      points.push_back(p);
    }
    return slot_[at];
  }
  int operator[](const LatticePoint& p) const { return slot_[find_slot(p)]; }

  std::vector<LatticePoint> points;

 private:
  size_t find_slot(const LatticePoint& p) const {
    std::uint64_t key = 0;
    for (int c = 0; c < 3; ++c) key = (key ^ static_cast<std::uint32_t>(p[c])) * 0x9E3779B97F4A7C15ull;
    size_t at = (key ^ key >> 29) & (slot_.size() - 1);
    while (slot_[at] >= 0 && points[slot_[at]] != p) at = (at + 1) & (slot_.size() - 1);
    return at;
  }
  std::vector<int> slot_;
};

/// Orders points: the ends of long edges of every level with the even one first, by a bit for the parity in cubes of
/// each level, and those that agree in all of them by their numbers.
std::uint64_t rank_of(const LatticePoint& p, int number) {
  std::uint64_t rank = 0;
  for (int level = 0; level < 24; ++level)
    rank = rank << 1 | (((p[0] >> (level + 1)) + (p[1] >> (level + 1)) + (p[2] >> (level + 1))) & 1);
  return rank << 32 | static_cast<std::uint32_t>(number);
}

/// An edge from one side of the surface to the other.
struct CutEdge {
  int low, high;  ///< points
  double place = 0;

  bool operator<(const CutEdge& other) const { return std::tie(low, high) < std::tie(other.low, other.high); }
  bool operator==(const CutEdge& other) const { return low == other.low && high == other.high; }
};

constexpr int kTetChunk = 4096;

class Cutter {
 public:
  Cutter(const SignedDistance& body, const SizedCells& cells) : body_(body), cells_(cells), number_(0) {
    number_points(cells.cells());
    evaluate();
    find_edges();
    draw_points();
  }

  CutCells finish() const;

 private:
  void number_points(const std::vector<LatticePoint>& all);
  void evaluate();
  void find_edges();
  void draw_points();
  int edge_between(int i, int j) const;
  Vec3 along(int i, int j, double t) const {
    const Vec3 p = number_.points[i].cast<double>(), q = number_.points[j].cast<double>();
    return cells_.place(Vec3(p + t * (q - p)));
  }
  CutTet describe(const IndexTet& tet) const;

  const SignedDistance& body_;
  const SizedCells& cells_;
  PointNumbers number_;
  std::vector<IndexTet> tets_;
  std::vector<int> half_;  ///< per point: half the edge of the smallest cell around, in half smallest cubes
  std::vector<double> value_;
  std::vector<std::int8_t> side_;
  std::vector<CutEdge> edges_;
  std::vector<int> first_edge_;  ///< per point, of those where it is the lower end
  std::vector<int> drawn_to_;    ///< per point: the other end, or -1
  std::vector<double> drawn_by_;
};

void Cutter::number_points(const std::vector<LatticePoint>& all) {
  const int n = static_cast<int>(all.size());
  const int chunks = (n + kTetChunk - 1) / kTetChunk;
  std::vector<std::vector<std::array<LatticePoint, 4>>> found(chunks);
  const auto level = [this](const LatticePoint& cube) { return cells_.level(cube); };
  parallel_for(n, kTetChunk, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) add_graded_tets(all[c], 0, level, found[begin / kTetChunk]);
  });
  for (const auto& part : found)
    for (const auto& tet : part) {
      IndexTet& indices = tets_.emplace_back();
      for (int a = 0; a < 4; ++a) indices[a] = number_.add(tet[a]);
    }
  half_.assign(number_.points.size(), std::numeric_limits<int>::max());
  for (const IndexTet& tet : tets_) {
    // The shortest edge along an axis, or twice the largest step of a diagonal, is the cell's.
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) {
        const int longest = (number_.points[tet[a]] - number_.points[tet[b]]).cwiseAbs().maxCoeff();
        for (int i : {tet[a], tet[b]}) half_[i] = std::min(half_[i], longest);
      }
  }
}

void Cutter::evaluate() {
  const int n = static_cast<int>(number_.points.size());
  value_.resize(n);
  side_.resize(n);
  parallel_for(n, 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      value_[i] = body_.value(cells_.place(number_.points[i]));
      side_[i] = value_[i] < 0 ? -1 : value_[i] == 0 ? 0 : 1;
    }
  });
}

void Cutter::find_edges() {
  for (const IndexTet& tet : tets_)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b)
        if (side_[tet[a]] * side_[tet[b]] < 0) edges_.push_back({std::min(tet[a], tet[b]), std::max(tet[a], tet[b])});
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  parallel_for(static_cast<int>(edges_.size()), 256, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      CutEdge& edge = edges_[e];
      const double size = (cells_.place(number_.points[edge.low]) - cells_.place(number_.points[edge.high])).norm();
      edge.place = surface_crossing(
          body_, [&](double t) { return along(edge.low, edge.high, t); }, value_[edge.low], value_[edge.high], size);
    }
  });
  first_edge_.assign(number_.points.size() + 1, 0);
  for (const CutEdge& edge : edges_) ++first_edge_[edge.low + 1];
  std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
}

int Cutter::edge_between(int i, int j) const {
  const CutEdge wanted{std::min(i, j), std::max(i, j)};
  const auto begin = edges_.begin() + first_edge_[wanted.low], end = edges_.begin() + first_edge_[wanted.low + 1];
  const auto at = std::lower_bound(begin, end, wanted);
  return at != end && *at == wanted ? static_cast<int>(at - edges_.begin()) : -1;
}

/// As in the uniform lattice, one after the other. How near a cut must be is measured by the smallest cell around.
void Cutter::draw_points() {
  const int n = static_cast<int>(number_.points.size());
  std::vector<std::vector<int>> at_high(n);
  for (size_t e = 0; e < edges_.size(); ++e) at_high[edges_[e].high].push_back(static_cast<int>(e));
  drawn_to_.assign(n, -1);
  drawn_by_.assign(n, 0);
  for (int i = 0; i < n; ++i) {
    if (side_[i] == 0) continue;
    double nearest = INFINITY;
    const auto look = [&](int j, double t) {
      if (side_[j] * side_[i] >= 0) return;
      const LatticePoint step = number_.points[j] - number_.points[i];
      const int axes = (step.array() != 0).count();
      const double length = step.cast<double>().norm();
      // Parts of a cell: 0.28 of its edge along an axis, 0.40 of half its diagonal, and between for half a face's.
      const double near = axes == 1 ? 2 * kNearOnLong : axes == 3 ? kNearOnShort * std::sqrt(3.0) : 0.31 * 2;
      if (t * length >= near * half_[i] || t * length >= nearest || t > 0.5) return;
      nearest = t * length;
      drawn_to_[i] = j;
      drawn_by_[i] = t;
    };
    for (int e = first_edge_[i]; e < first_edge_[i + 1]; ++e) look(edges_[e].high, edges_[e].place);
    for (int e : at_high[i]) look(edges_[e].low, 1 - edges_[e].place);
    if (drawn_to_[i] >= 0) side_[i] = 0;
  }
}

CutTet Cutter::describe(const IndexTet& tet) const {
  CutTet cut;
  for (int a = 0; a < 4; ++a) {
    cut.side[a] = side_[tet[a]];
    cut.rank[a] = rank_of(number_.points[tet[a]], tet[a]);
    cut.vertex[a] = tet[a];
  }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      if (cut.side[a] < 0 && cut.side[b] > 0) {
        cut.cut[a][b] = cut.cut[b][a] = static_cast<int>(number_.points.size()) + edge_between(tet[a], tet[b]);
        cut.length[a][b] = cut.length[b][a] = (number_.points[tet[a]] - number_.points[tet[b]]).squaredNorm();
      }
  return cut;
}

CutCells Cutter::finish() const {
  const int points = static_cast<int>(number_.points.size()), all = points + static_cast<int>(edges_.size());
  MatrixX3d X(all, 3);
  parallel_for(all, 4096, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (i >= points) {
        const CutEdge& edge = edges_[i - points];
        X.row(i) = along(edge.low, edge.high, edge.place);
      } else {
        X.row(i) = drawn_to_[i] >= 0 ? along(i, drawn_to_[i], drawn_by_[i]) : cells_.place(number_.points[i]);
      }
    }
  });
  const int n = static_cast<int>(tets_.size());
  std::vector<std::vector<IndexTet>> pieces((n + kTetChunk - 1) / kTetChunk);
  parallel_for(n, kTetChunk, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      bool any = false;
      for (int i : tets_[t]) any = any || side_[i] < 0;
      if (any) add_pieces(describe(tets_[t]), X, pieces[begin / kTetChunk]);
    }
  });
  size_t total = 0;
  for (const auto& part : pieces) total += part.size();
  require_count("mesher", static_cast<double>(total), "use a larger size");
  if (total == 0)
    throw Error("size = {:.4g} m is too large: no point of the lattice is inside of the shape", cells_.smallest());
  CutCells result;
  result.mesh.T.resize(static_cast<Index>(total), 4);
  std::vector<int> number(all, -1), used;
  Index row = 0;
  for (const auto& part : pieces)
    for (const IndexTet& tet : part) {
      result.mesh.T.row(row++) = Eigen::Map<const Eigen::RowVector4i>(tet.data());
      for (int i : tet) number[i] = 0;
    }
  for (int i = 0; i < all; ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(used.size());
    used.push_back(i);
    result.on_surface.push_back(i >= points || side_[i] == 0);
  }
  for (int& i : result.mesh.T.reshaped()) i = number[i];
  result.mesh.X = X(used, Eigen::all);
  result.mesh.region = VectorXi::Zero(result.mesh.tets());
  result.mesh.fiber = MatrixX3d::Zero(result.mesh.tets(), 3);
  return result;
}

}  // namespace

CutCells cut_cells(const SignedDistance& body, const SizedCells& cells) { return Cutter(body, cells).finish(); }

}  // namespace brio

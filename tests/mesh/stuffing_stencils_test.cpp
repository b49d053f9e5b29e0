// All ways in which the surface can cut a tetrahedron of the lattice: positive pieces, bounded angles.

#include "brio/mesh/stuffing/stuffing_stencils.hpp"

#include "brio/mesh/quality.hpp"
#include "brio/mesh/stuffing/stuffing_lattice.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

const std::array<LatticePoint, 4> kCorner{LatticePoint(1, 1, 1), {3, 1, 1}, {2, 0, 0}, {2, 2, 0}};

constexpr bool long_edge(int a, int b) { return (a ^ b) == 1; }
constexpr double near(bool is_long) { return is_long ? kNearOnLong : kNearOnShort; }

/// Goes through the corners on the surface, each at its place or drawn as far as possible along one of its 14 edges,
/// and through the cuts, each in the middle of its edge or as near to an end as one may be without drawing it. Angles
/// have their extremes at such ends (a finer search found none between).
class Enumeration {
 public:
  explicit Enumeration(const std::array<int, 4>& side) : side_(side) { place_corner(0); }

  int tets = 0;
  double least = 180, most = 0, least_volume = 1;

 private:
  void place_corner(int a) {
    if (a == 4) return place_cut(0, 1);
    X_[a] = kCorner[a].cast<double>();
    drawn_[a] = -1;
    place_corner(a + 1);
    if (side_[a] != 0) return;
    for (int d = 0; d < 2 * kEdges; ++d) {
      X_[a] = kCorner[a].cast<double>() + near(is_long(d)) * lattice_step(d).cast<double>();
      drawn_[a] = d;
      if (!towards_each_other(a)) place_corner(a + 1);
    }
  }
  /// Two points cannot be drawn along the same edge, as it has one cut.
  bool towards_each_other(int a) const {
    for (int b = 0; b < a; ++b)
      if (drawn_[b] >= 0 && kCorner[b] + lattice_step(drawn_[b]) == kCorner[a] &&
          kCorner[a] + lattice_step(drawn_[a]) == kCorner[b])
        return true;
    return false;
  }

  void place_cut(int a, int b) {
    if (a == 3) return fill();
    const int next_a = b == 3 ? a + 1 : a, next_b = b == 3 ? a + 2 : b + 1;
    if (side_[a] * side_[b] >= 0) return place_cut(next_a, next_b);
    const double least_part = near(long_edge(a, b));
    for (double t : {least_part, 0.5, 1 - least_part}) {
      cut_[a][b] = cut_[b][a] = static_cast<int>(X_.size());
      X_.push_back((1 - t) * kCorner[a].cast<double>() + t * kCorner[b].cast<double>());
      place_cut(next_a, next_b);
      X_.pop_back();
    }
  }

  void fill() {
    CutTet tet;
    tet.side = side_;
    tet.vertex = {0, 1, 2, 3};
    std::copy(&cut_[0][0], &cut_[0][0] + 16, &tet.cut[0][0]);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) tet.length[a][b] = (kCorner[a] - kCorner[b]).squaredNorm();
    MatrixX3d X(static_cast<Index>(X_.size()), 3);
    for (size_t i = 0; i < X_.size(); ++i) X.row(i) = X_[i];
    for (int parity = 0; parity < 4; ++parity) {
      tet.rank = {parity & 1 ? 0ull : 1ull, parity & 1 ? 1ull : 0ull, parity & 2 ? 0ull : 1ull,
                  parity & 2 ? 1ull : 0ull};
      std::vector<std::array<int, 4>> pieces;
      add_pieces(tet, X, pieces);
      TetMesh mesh{X, MatrixX4i(static_cast<Index>(pieces.size()), 4), {}, {}};
      for (size_t t = 0; t < pieces.size(); ++t) mesh.T.row(t) = Eigen::Map<const Eigen::RowVector4i>(pieces[t].data());
      const MeshQuality quality = measure_quality(mesh);
      tets += mesh.tets();
      least = std::min(least, quality.least_dihedral);
      most = std::max(most, quality.most_dihedral);
      least_volume = std::min(least_volume, quality.least_volume);
    }
  }

  std::array<int, 4> side_;
  std::vector<Vec3> X_ = std::vector<Vec3>(4);
  std::array<int, 4> drawn_;
  int cut_[4][4];
};

TEST(StuffingStencils, angles_are_bounded_for_all_ways_to_cut_a_tetrahedron) {
  double least = 180, most = 0;
  int tets = 0;
  for (int pattern = 0; pattern < 81; ++pattern) {
    const std::array<int, 4> side{pattern % 3 - 1, pattern / 3 % 3 - 1, pattern / 9 % 3 - 1, pattern / 27 - 1};
    const Enumeration all(side);
    const bool some_inside = std::count(side.begin(), side.end(), -1) > 0;
    EXPECT_EQ(all.tets > 0, some_inside);
    if (!some_inside) continue;
    EXPECT_GT(all.least_volume, 0) << side[0] << side[1] << side[2] << side[3];
    least = std::min(least, all.least);
    most = std::max(most, all.most);
    tets += all.tets;
  }
  EXPECT_GT(tets, 50000);
  EXPECT_GT(least, 10.5);
  EXPECT_LT(most, 163.8);
}

}  // namespace
}  // namespace brio

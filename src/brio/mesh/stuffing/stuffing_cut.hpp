#pragma once
// The lattice cut by the surface: the side of every point, cut points of edges, points that are warped onto the
// surface, and the tetrahedra that result.

#include "brio/mesh/stuffing/stuffing.hpp"
#include "brio/mesh/stuffing/stuffing_grading.hpp"
#include "brio/mesh/stuffing/stuffing_lattice.hpp"
#include "brio/mesh/stuffing/stuffing_stencils.hpp"

#include <cstdint>
#include <optional>

namespace brio {

class CutLattice {
 public:
  /// `size` is the edge of a cube [m]; `graded`: larger cells deep inside.
  CutLattice(const SignedDistance& body, double size, bool graded);

  int vertices() const { return vertices_; }  ///< that the mesh will have
  StuffedMesh mesh() const;
  std::vector<char> on_surface() const;  ///< per vertex of the mesh

 private:
  static constexpr int kNone = -1;

  int side(int i) const { return i < 0 ? 1 : side_[i]; }
  size_t edge(int i, int direction) const { return size_t(i) * kEdges + direction; }
  Vec3 along(const LatticePoint& p, int direction, double t) const;

  void evaluate();
  void find_cuts();
  void draw_points_to_cuts();
  void number_vertices();
  bool is_used(int i) const { return !grading_ || grading_->uses(i); }

  bool is_lost(const LatticePoint& p, int direction, double at_start, double at_end) const;
  bool has_neighbor_inside(const LatticePoint& p) const;
  MatrixX3d places() const;
  std::vector<std::vector<std::array<int, 4>>> cut_tets(const MatrixX3d& X) const;
  void add_around(const LatticePoint& center, const MatrixX3d& X, std::vector<std::array<int, 4>>& pieces) const;
  void add_graded(const LatticePoint& center, std::vector<std::array<int, 4>>& pieces) const;
  CutTet describe(const std::array<LatticePoint, 4>& corner) const;
  int cut_between(const LatticePoint& p, int i, const LatticePoint& q, int j) const;

  const SignedDistance& body_;
  StuffingLattice lattice_;
  std::vector<std::int8_t> side_;      ///< per point: -1 inside, 0 on the surface, 1 outside
  std::vector<double> value_;          ///< per point near the surface [m]
  std::vector<double> cut_place_;      ///< per owned edge of a point near the surface: where it is cut, 0 … 1
  std::vector<double> drawn_by_;       ///< per point near the surface: as a part of the edge
  std::vector<std::int8_t> drawn_to_;  ///< along which edge, or kNone
  std::optional<GradedCells> grading_;
  std::vector<int> vertex_, cut_vertex_;
  int vertices_ = 0;
  int lost_places_ = 0;
  Vec3 first_lost_ = Vec3::Zero();
};

}  // namespace brio

#pragma once
// Larger cells deep inside the body ([Labelle and Shewchuk 2007], section 3: a graded interior). Cubes of the lattice
// that are far from the surface are joined eight by eight, again and again, as long as cells that touch, be it in a
// corner, differ by at most a factor of two. Corners and centers of all cells are points of the lattice.

#include "brio/mesh/stuffing/stuffing_lattice.hpp"

#include <cstdint>

namespace brio {

class GradedCells {
 public:
  /// `side` of every point of the lattice: -1 inside, 0 on the surface, 1 outside.
  GradedCells(const StuffingLattice& lattice, const std::vector<std::int8_t>& side);

  /// A cube of the lattice by its lowest corner, counted in cubes.
  using Cube = LatticePoint;

  /// The cell that the cube is part of has 2^level cubes along an edge.
  int level(const Cube& cube) const;
  /// Whether the point, by its index, is a corner or the center of a cell.
  bool uses(int point) const { return used_[point]; }

  /// The tetrahedra between the cell with that lowest cube and its neighbors, but for those between two single cubes,
  /// which the surface may cut. Every tetrahedron is added by one cell, as four points of the lattice.
  void add_tets(const Cube& cell, std::vector<std::array<LatticePoint, 4>>& tets) const;
  /// Whether a cell begins with this cube.
  bool begins(const Cube& cube) const;

 private:
  int index(const Cube& cube) const;
  void find_deep_cubes(const std::vector<std::int8_t>& side);
  bool can_join(const Cube& low, int level) const;
  bool join(int level);
  void mark_used();
  bool edge_is_halved(const Cube& cell, const Cube& beside, const LatticePoint& outward, int level) const;

  const StuffingLattice& lattice_;
  std::vector<std::int8_t> level_;  ///< per cube; of cubes near the surface kShallow until they are known
  std::vector<bool> used_;          ///< per point
};

}  // namespace brio

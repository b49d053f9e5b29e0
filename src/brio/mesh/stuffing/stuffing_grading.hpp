#pragma once
// Larger cells deep inside the body ([Labelle and Shewchuk 2007], section 3: a graded interior). Cubes of the lattice
// that are far from the surface are joined eight by eight, again and again, as long as cells that touch, be it in a
// corner, differ by at most a factor of two. Corners and centers of all cells are points of the lattice.

#include "brio/mesh/stuffing/stuffing_lattice.hpp"

#include <Eigen/Geometry>

#include <cstdint>

namespace brio {

/// Four points in the order that gives a positive volume.
inline std::array<LatticePoint, 4> oriented(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c,
                                            const LatticePoint& d) {
  const auto as_vector = [](const LatticePoint& p) -> Vec3 { return p.cast<double>(); };
  const bool positive = as_vector(b - a).cross(as_vector(c - a)).dot(as_vector(d - a)) > 0;
  return positive ? std::array{a, b, c, d} : std::array{a, b, d, c};
}

/// The corners of a face in order around it; `out` leads from the cell's center to the face's.
inline std::array<LatticePoint, 4> face_corners(const LatticePoint& center, const LatticePoint& out, int axis,
                                                int half) {
  const LatticePoint u = half * LatticePoint::Unit((axis + 1) % 3), v = half * LatticePoint::Unit((axis + 2) % 3);
  const LatticePoint middle = center + out;
  return {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
}

/// The tetrahedra between a cell, given by its lowest cube, and its neighbors; every one is added by one cell. The
/// level of the cell that a cube is part of is `level(cube)`; those between two cells of a level below `lowest` are
/// left out.
template <class Level>
void add_graded_tets(const LatticePoint& cell, int lowest, const Level& level,
                     std::vector<std::array<LatticePoint, 4>>& tets) {
  const int own = level(cell), size = 1 << own;
  const LatticePoint center = (2 * cell).array() + size;
  for (int axis = 0; axis < 3; ++axis)
    for (int sign : {-1, 1}) {
      const LatticePoint e = sign * LatticePoint::Unit(axis);
      const LatticePoint beside = cell + (sign > 0 ? size : 1) * e;
      const int other = level(beside);
      const std::array<LatticePoint, 4> face = face_corners(center, size * e, axis, size);
      // Whether smaller cells lie at the edge of the face that is met going `outward` in it.
      const auto edge_is_halved = [&](const LatticePoint& outward) {
        const LatticePoint step = outward.unaryExpr([size](int o) { return o > 0 ? size : o; });
        return level(cell + step) < own || level(beside + step) < own;
      };
      if (other == own && own >= lowest && sign > 0) {  // four around the line between the centers, halved if need be
        const LatticePoint u = LatticePoint::Unit((axis + 1) % 3), v = LatticePoint::Unit((axis + 2) % 3);
        const std::array<LatticePoint, 4> outward{-v, u, v, -u};
        for (int k = 0; k < 4; ++k) {
          const LatticePoint &a = face[k], &b = face[(k + 1) % 4], middle = (a + b) / 2;
          if (own > 0 && edge_is_halved(outward[k])) {
            tets.push_back(oriented(center, center + 2 * size * e, a, middle));
            tets.push_back(oriented(center, center + 2 * size * e, middle, b));
          } else {
            tets.push_back(oriented(center, center + 2 * size * e, a, b));
          }
        }
      } else if (other == own + 1) {  // a quarter of the larger cell's face: two triangles with its middle, both sides
        const int mask = (1 << other) - 1;
        const LatticePoint low = beside.unaryExpr([mask](int c) { return c & ~mask; });
        const LatticePoint large_center = (2 * low).array() + 2 * size, middle = large_center - 2 * size * e;
        int k = 0;
        while (face[k] != middle) ++k;
        for (int second : {1, 2}) {
          const LatticePoint &b = face[(k + second) % 4], &c = face[(k + second + 1) % 4];
          tets.push_back(oriented(center, middle, b, c));
          tets.push_back(oriented(large_center, middle, b, c));
        }
      }
    }
}

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
  void add_tets(const Cube& cell, std::vector<std::array<LatticePoint, 4>>& tets) const {
    add_graded_tets(
        cell, 1, [this](const Cube& cube) { return level(cube); }, tets);
  }
  /// Whether a cell begins with this cube.
  bool begins(const Cube& cube) const;

 private:
  int index(const Cube& cube) const;
  void find_deep_cubes(const std::vector<std::int8_t>& side);
  bool can_join(const Cube& low, int level) const;
  bool join(int level);
  void mark_used();

  const StuffingLattice& lattice_;
  std::vector<std::int8_t> level_;  ///< per cube; of cubes near the surface kShallow until they are known
  std::vector<bool> used_;          ///< per point
};

}  // namespace brio

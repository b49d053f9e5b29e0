#pragma once
// The body-centered cubic lattice that isosurface stuffing cuts: corners and centers of cubes. Only bricks of 4 x 4 x 4
// cubes in or near the body are stored, so that empty space costs nothing, and everything about a point is found by
// arithmetic from its coordinates.

#include "brio/mesh/solids/signed_distance.hpp"

#include <array>
#include <vector>

namespace brio {

/// Coordinates of a lattice point in half cubes: all even for the corner of a cube, all odd for its center.
using LatticePoint = Eigen::Vector3i;

/// Steps to the 14 neighbors: three long ones along the axes, four short ones along the space diagonals, and back.
constexpr int kEdges = 7;  ///< that each point owns: one for each step and its reverse
LatticePoint lattice_step(int direction);
constexpr bool is_long(int direction) { return direction % kEdges < 3; }

class StuffingLattice {
 public:
  static constexpr int kPointsPerBrick = 128;

  /// `size` is the edge of a cube [m]. Throws Error for one that would need more memory than any mesh should.
  StuffingLattice(const SignedDistance& body, double size);

  double size() const { return size_; }
  /// Points that are stored, and of these the first ones, which may have an edge through the surface.
  int points() const { return kPointsPerBrick * static_cast<int>(bricks_.size()); }
  int points_near_surface() const { return kPointsPerBrick * near_; }

  LatticePoint point(int index) const;
  /// The point's index, or -1 where it is not stored; it is outside then, like all its neighbors.
  int index(const LatticePoint& p) const {
    const int bx = p[0] >> 3, by = p[1] >> 3, bz = p[2] >> 3;
    if (bx < 0 || by < 0 || bz < 0 || bx >= grid_[0] || by >= grid_[1] || bz >= grid_[2]) return -1;
    const int brick = brick_at_[bx + grid_[0] * (by + grid_[1] * bz)];
    if (brick < 0) return -1;
    const int cube = (p[0] >> 1 & 3) + 4 * (p[1] >> 1 & 3) + 16 * (p[2] >> 1 & 3);
    return kPointsPerBrick * brick + 2 * cube + (p[0] & 1);
  }
  /// Where a point of the lattice, or one between points, lies [m].
  Vec3 place(const Vec3& p) const { return origin_ + 0.5 * size_ * p; }
  Vec3 place(const LatticePoint& p) const { return place(Vec3(p.cast<double>())); }

 private:
  struct Block {
    LatticePoint low;  ///< in bricks
    int side;          ///< in bricks
  };
  void lay_grid(const Box& bounds);
  void find_bricks(const SignedDistance& body);
  void store_inside(const Block& block);
  void require_room(size_t near, size_t inside) const;

  double size_;
  Vec3 origin_;        ///< of the point (0, 0, 0) [m]
  LatticePoint grid_;  ///< bricks along each axis
  std::vector<LatticePoint> bricks_;
  int near_ = 0;               ///< bricks near the surface; the others lie deep inside
  std::vector<int> brick_at_;  ///< in bricks_, or -1
};

}  // namespace brio

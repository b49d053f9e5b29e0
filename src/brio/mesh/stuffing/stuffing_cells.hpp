#pragma once
// Cubes of different sizes for a lattice that follows the thickness of a body: a grid of large cubes, each an octree.
// Cubes that touch, be it in a corner, differ by at most a factor of two once `balance` was called.

#include "brio/mesh/stuffing/stuffing_lattice.hpp"

namespace brio {

class SizedCells {
 public:
  /// A cube of the smallest size by its lowest corner, counted in these.
  using Cube = LatticePoint;

  /// Cubes at the surface have at most `size` and at least size / 2^finest. Deep inside they may be larger by
  /// 2^coarser. Throws Error for a size that would need too many.
  SizedCells(const SignedDistance& body, double size, int finest, int coarser);

  /// Splits the cubes that meet the box until they are no larger than `size` by more than a fifth, or the smallest [m].
  void refine(const Box& box, double size);
  /// Splits cubes that are more than twice as large as one that they touch.
  void balance();

  /// The cell that the cube is part of has 2^level of the smallest along an edge.
  int level(const Cube& cube) const;
  /// All cells that may have a part inside, by their lowest cube, in a fixed order.
  std::vector<Cube> cells() const;
  double smallest() const { return smallest_; }  ///< edge of a cube of level 0 [m]
  /// Where a point lies: coordinates in halves of the smallest cube [m].
  Vec3 place(const Vec3& p) const { return origin_ + 0.5 * smallest_ * p; }
  Vec3 place(const LatticePoint& p) const { return place(Vec3(p.cast<double>())); }
  /// The size of the cell that contains x [m].
  double size_at(const Vec3& x) const;

 private:
  struct Found {
    int node, level;
    Cube low;
  };
  int root(const Cube& cube) const;
  Found find(const Cube& cube) const;
  void split(int node);
  Cube cube_at(const Vec3& x) const;
  void refine_node(int node, int level, const Cube& low, const Cube& first, const Cube& last, int wanted);
  void split_near_surface(const SignedDistance& body, int root_node, const Cube& low);
  void collect(int node, int level, const Cube& low, std::vector<Cube>& cells) const;

  double smallest_;
  int size_level_, root_level_;
  Vec3 origin_;
  LatticePoint grid_;             ///< roots along each axis
  std::vector<int> child_;        ///< per node: the first of its eight parts, or -1; the roots come first
  std::vector<char> is_outside_;  ///< per root: far from the body
};

}  // namespace brio

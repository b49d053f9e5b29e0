#pragma once
// The stiffness of eight quadratic tetrahedra: from the blocks that a material gives at the four points of each to the
// 55 blocks of its pairs of nodes, and into the matrix.
//
// A block B_cd of second derivatives by the columns dx/dL_c and dx/dL_d is kept as its symmetric part, six numbers, and
// its skew part, three. Then B_dc has the same numbers but for a sign, and nothing needs to be transposed; a block with
// c = d has no skew part. Blocks of pairs are put together for four elements at a time: all numbers that they are made
// of lie in the nearest cache then, and shuffles of four numbers are instructions of every machine of today.

#include "brio/core/vertex_packs.hpp"
#include "brio/energy/quadratic_pairs.hpp"
#include "brio/linalg/block_matrix.hpp"

namespace brio {

/// Where the blocks of eight elements go.
struct QuadraticPlace {
  int count;                                ///< of elements
  int slot[quadratic::kPairs][kLanes];      ///< of each pair of nodes (a, b) in the order of kNodePairs, or -1
  std::uint8_t flipped[quadratic::kPairs];  ///< bit `lane`: block (b, a) is stored, not (a, b)
};

class QuadraticBlocks {
 public:
  /// What a point gives.
  struct Point {
    M3<Pack> K[6];  ///< blocks 00 11 22 01 02 12, as a material gives them
    Pack volume;    ///< that the point stands for
  };
  Point& point(int q) { return point_[q]; }
  /// Asks for the blocks that are added to first.
  static void fetch_first(const QuadraticPlace& place, const BlockMatrix& matrix);
  /// Adds the blocks of all pairs to the matrix.
  void add_to(const QuadraticPlace& place, BlockMatrix& matrix);

 private:
  using Quad = detail::Quad;

  /// b and H of all blocks of four of the elements.
  void combine(int half);
  template <int kind>
  void add_kind(int half, const QuadraticPlace& place, double* values) const;

  Point point_[quadratic::kPoints];
  Quad at_[quadratic::kNumbers][quadratic::kSums];
};

}  // namespace brio

#pragma once
// Single rows of a symmetric block matrix, half of which is stored.

#include "brio/linalg/block_matrix.hpp"

namespace brio {

/// Calls body(neighbor, block of K at (point, neighbor)) for every block in the row of a point, its own included.
template <class Body>
void for_each_block(const BlockMatrix& K, int point, const Body& body) {
  using RowMajor = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  const BlockPattern& pattern = K.pattern();
  for (int slot = pattern.column_begin[point]; slot < pattern.column_begin[point + 1]; ++slot)
    body(pattern.row[slot], Mat3(RowMajor(K.block(slot)).transpose()));
  for (int e = pattern.row_begin[point]; e < pattern.row_begin[point + 1]; ++e)
    body(pattern.row_column[e], Mat3(RowMajor(K.block(pattern.row_slot[e]))));
}

}  // namespace brio

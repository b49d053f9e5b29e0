#pragma once
// CHOLMOD's part of the work: an order of elimination with little fill, and the supernodes of the factor in it.

#include "brio/linalg/block_matrix.hpp"

#include <string>
#include <vector>

namespace brio {

/// Sets of consecutive columns of the factor with (nearly) the same rows. All indices count blocks.
struct Supernodes {
  std::string ordering;           ///< "metis" or "amd"
  std::vector<int> order;         ///< block rows of the matrix in the order of elimination
  std::vector<int> first_column;  ///< per supernode, and one more at the end
  std::vector<int> row_begin;     ///< per supernode, and one more at the end
  std::vector<int> row;           ///< of every supernode, increasing; its own columns come first

  int count() const { return static_cast<int>(first_column.size()) - 1; }
};

/// Takes METIS or AMD, whichever gives the sparser factor. Each block of the pattern has `block` rows. The last `kept`
/// block rows come last, as one supernode.
Supernodes find_supernodes(const BlockPattern& pattern, int block, int kept = 0);

}  // namespace brio

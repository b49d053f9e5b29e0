#pragma once
// Small groups of points that hang together stiffly, for a coarse space: groups grow along strong couplings, so that
// none reaches across a jump of stiffness or from one body to another.

#include "brio/linalg/block_matrix.hpp"

#include <vector>

namespace brio {

struct Aggregates {
  static constexpr int kNone = -1;
  std::vector<int> of_point;  ///< the group of each point, or kNone where it is coupled to nothing
  std::vector<int> begin;     ///< per group: its first entry in `points`; one more at the end
  std::vector<int> points;    ///< group by group, increasing in each

  int count() const { return static_cast<int>(begin.size()) - 1; }
};

/// Groups of about `size` points. Couplings: how strong each is, by slot; signs do not matter.
Aggregates find_aggregates(const BlockPattern& pattern, const VectorXd& couplings, int size);

}  // namespace brio

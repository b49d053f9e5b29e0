#include "brio/collide/bounding_tree.hpp"

#include "brio/core/parallel.hpp"
#include "brio/core/spatial_order.hpp"

#include <algorithm>

namespace brio {

BoundingTree::BoundingTree(const MatrixX3d& places, const std::vector<int>& groups) {
  if (places.rows() == 0) return;
  order_ = spatial_order(places);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return groups[a] < groups[b]; });
  for (size_t n = order_.size();; n = (n + 1) / 2) {
    levels_.emplace_back(n);
    groups_.emplace_back(n);
    const size_t level = levels_.size() - 1;
    for (size_t i = 0; i < n; ++i) {
      if (level == 0) {
        groups_[0][i] = groups[order_[i]];
        continue;
      }
      const std::vector<int>& below = groups_[level - 1];
      const int one = below[2 * i], other = 2 * i + 1 < below.size() ? below[2 * i + 1] : one;
      groups_[level][i] = one == other ? one : kMixed;
    }
    if (n == 1) break;
  }
}

void BoundingTree::refit(const std::vector<Box3>& boxes) {
  if (levels_.empty()) return;
  for (size_t i = 0; i < order_.size(); ++i) levels_[0][i] = boxes[order_[i]];
  constexpr int kGrain = 2048;
  for (size_t level = 1; level < levels_.size(); ++level) {
    const std::vector<Box3>& below = levels_[level - 1];
    std::vector<Box3>& here = levels_[level];
    parallel_for(static_cast<int>(here.size()), kGrain, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        here[i] = below[2 * i];
        if (2 * i + 1 < static_cast<int>(below.size())) here[i].include(below[2 * i + 1]);
      }
    });
  }
}

}  // namespace brio

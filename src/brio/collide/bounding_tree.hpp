#pragma once
// A tree of axis-aligned boxes over the parts of surfaces. Its shape follows from where the parts are at rest and stays;
// boxes are fitted anew whenever the parts have moved. Parts of one group (a body) are together in it, so that a query
// passes by whole groups.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

struct Box3 {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);

  void include(const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  void include(const Box3& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  void grow(double by) {
    low.array() -= by;
    high.array() += by;
  }
  bool meets(const Box3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

class BoundingTree {
 public:
  BoundingTree() = default;
  /// Over parts that are at these places at rest, each of a group.
  BoundingTree(const MatrixX3d& places, const std::vector<int>& groups);

  /// `boxes`: of each part.
  void refit(const std::vector<Box3>& boxes);
  /// Which groups a query is for.
  enum class Groups { all, same, others };
  /// Calls found(part) for each part whose box meets the given one, always in the same order; of groups that are the
  /// same as the given one or not.
  template <class Found>
  void query(const Box3& box, Groups which, int group, const Found& found) const {
    if (levels_.empty()) return;
    int stack[64];
    int size = 0;
    const int top = static_cast<int>(levels_.size()) - 1;
    // A node is its level and its number within it, in one number.
    const auto node = [](int level, int i) { return level << 26 | i; };
    stack[size++] = node(top, 0);
    while (size > 0) {
      const int next = stack[--size], level = next >> 26, i = next & ((1 << 26) - 1);
      const int owner = groups_[level][i];
      if (which == Groups::same && owner != group && owner != kMixed) continue;
      if (which == Groups::others && owner == group) continue;
      if (!levels_[level][i].meets(box)) continue;
      if (level == 0) {
        found(order_[i]);
        continue;
      }
      if (2 * i + 1 < static_cast<int>(levels_[level - 1].size())) stack[size++] = node(level - 1, 2 * i + 1);
      stack[size++] = node(level - 1, 2 * i);
    }
  }

 private:
  static constexpr int kMixed = -1;

  std::vector<int> order_;                 ///< the part of each leaf
  std::vector<std::vector<Box3>> levels_;  ///< leaves first, then halves of them, up to one box
  std::vector<std::vector<int>> groups_;   ///< of each box: the group of all parts in it, or kMixed
};

}  // namespace brio

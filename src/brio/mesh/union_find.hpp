#pragma once
// Disjoint sets of indices (union-find). The smallest member represents its set, so that labels do not depend on the
// order of joins.

#include <algorithm>
#include <numeric>
#include <vector>

namespace brio {

class UnionFind {
 public:
  explicit UnionFind(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  int representative(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void join(int i, int j) {
    const int a = representative(i), b = representative(j);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace brio

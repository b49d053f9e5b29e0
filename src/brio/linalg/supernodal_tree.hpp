#pragma once
// Parallel walks over the tree of families.

#include "brio/core/parallel.hpp"
#include "brio/linalg/supernodal_symbolic.hpp"

#include <tbb/task_group.h>

#include <atomic>

namespace brio {

class FamilyTree {
 public:
  explicit FamilyTree(const Symbolic& symbolic) : symbolic_(symbolic), waiting_(symbolic.families.size()) {}

  /// Calls work(family) for all families, each after its children; who finishes the last child goes on to the parent.
  template <class Work>
  void upwards(const Work& work) {
    for (size_t g = 0; g < waiting_.size(); ++g)
      waiting_[g].store(symbolic_.families[g].children, std::memory_order_relaxed);
    parallel_for(static_cast<int>(symbolic_.leaves.size()), 1, [&](int begin, int end) {
      for (int l = begin; l < end; ++l) {
        int family = symbolic_.leaves[l];
        do {
          work(family);
          family = symbolic_.families[family].parent;
        } while (family >= 0 && waiting_[family].fetch_sub(1) == 1);
      }
    });
  }

  /// Calls work(family) for all families, each after its parent.
  template <class Work>
  void downwards(const Work& work) {
    tbb::task_group tasks;
    for (int root : symbolic_.roots) tasks.run([this, root, &work, &tasks] { descend(root, work, tasks); });
    tasks.wait();
  }

 private:
  template <class Work>
  void descend(int family, const Work& work, tbb::task_group& tasks) {
    while (true) {
      work(family);
      const Front& top = symbolic_.fronts[symbolic_.families[family].top];
      if (symbolic_.families[family].children == 0) return;
      for (int k = top.children_begin + 1; k < top.children_end; ++k) {
        const int child = symbolic_.fronts[symbolic_.children[k]].family;
        tasks.run([this, child, &work, &tasks] { descend(child, work, tasks); });
      }
      family = symbolic_.fronts[symbolic_.children[top.children_begin]].family;
    }
  }

  const Symbolic& symbolic_;
  std::vector<std::atomic<int>> waiting_;
};

}  // namespace brio

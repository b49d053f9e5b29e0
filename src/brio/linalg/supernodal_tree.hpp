#pragma once
// Parallel walks over the tree of families.

#include "brio/core/parallel.hpp"
#include "brio/core/thread_edges.hpp"
#include "brio/linalg/supernodal_symbolic.hpp"

#include <tbb/task_group.h>

#include <atomic>

namespace brio {

class FamilyTree {
 public:
  explicit FamilyTree(const Symbolic& symbolic) : symbolic_(symbolic), waiting_(symbolic.families.size()) {}

  /// Calls work(family) for all families, each after its children; the thread that finishes the last child continues
  /// with the parent.
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
    for (int root : symbolic_.roots) run(root, work, tasks);
    tasks.wait();
    edges_.go_on();
  }

 private:
  template <class Work>
  void run(int family, const Work& work, tbb::task_group& tasks) {
    edges_.give();
    tasks.run([this, family, &work, &tasks] {
      edges_.begin();
      descend(family, work, tasks);
      edges_.end();
    });
  }

  template <class Work>
  void descend(int family, const Work& work, tbb::task_group& tasks) {
    while (true) {
      work(family);
      if (symbolic_.families[family].children == 0) return;
      const auto children = symbolic_.children_of(symbolic_.fronts[symbolic_.families[family].top]);
      for (int front : children.subspan(1)) run(symbolic_.fronts[front].family, work, tasks);
      family = symbolic_.fronts[children[0]].family;
    }
  }

  const Symbolic& symbolic_;
  std::vector<std::atomic<int>> waiting_;
  [[no_unique_address]] ThreadEdges edges_;
};

}  // namespace brio

// A step allocates nothing once it has run: every call to malloc is counted.

#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <atomic>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
std::atomic<long> allocations{0};
}
extern "C" {
void* __libc_malloc(size_t);
void* malloc(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
}

namespace brio {
namespace {

TEST(Allocation, none_in_a_step) {
  set_thread_count(1);  // the scheduler's own bookkeeping for more threads is not the step's
  for (int cells : {1, 4}) {
    testing::Bar bar(cells, true);
    bar.with_gravity();
    bar.parts.damping = {0.1, 0.001, true};
    const NodalSystem system = bar.system();
    for (const char* name : {"si", "ksiere"}) {
      State state = testing::at_rest(system);
      const auto method = testing::integrator(name);
      for (int i = 0; i < 3; ++i) method->step(system, state, 0.01);
      const long before = allocations;
      for (int i = 0; i < 5; ++i) method->step(system, state, 0.01);
      EXPECT_EQ(allocations - before, 0) << name << ", " << system.dofs() << " degrees of freedom";
    }
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace brio
#endif

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

/// Calls to malloc in five steps after the first ones.
long allocations_of(Integrator& integrator, int cells, const RayleighDamping& damping, int first = 3) {
  set_thread_count(1);  // the scheduler's own bookkeeping for more threads is not the step's
  testing::Bar bar(cells, true);
  bar.with_gravity();
  bar.parts.damping = damping;
  const NodalSystem system = bar.system();
  State state = testing::at_rest(system);
  integrator.prepare(system);
  for (int i = 0; i < first; ++i) integrator.step(state, 0.01);
  const long before = allocations;
  for (int i = 0; i < 5; ++i) integrator.step(state, 0.01);
  const long made = allocations - before;
  set_thread_count(0);
  return made;
}

TEST(Allocation, none_in_a_step) {
  for (const char* name : {"si", "ksiere", "lim", "glim"}) {
    for (int cells : {1, 4}) {
      const auto method = testing::integrator(name);
      // ksiere's blocks of right-hand sides are as wide as they become after some steps, and the solver's room with them.
      const int first = std::string(name) == "ksiere" ? 10 : 3;
      EXPECT_EQ(allocations_of(*method, cells, {0.1, 0.001, true}, first), 0) << name << ", " << cells << " cells";
    }
  }
}

TEST(Allocation, none_in_a_step_of_siere) {
  for (double modes : {5.0, 20.0}) {
    for (const char* update : {"auto", "woodbury"}) {
      for (const RayleighDamping& damping : {RayleighDamping{}, {0.1, 0.001, true}}) {
        const auto siere = testing::integrator("siere", {{"modes", modes}, {"update", update}});
        EXPECT_EQ(allocations_of(*siere, 3, damping), 0) << modes << " modes, beta " << damping.beta;
      }
    }
  }
}

}  // namespace
}  // namespace brio
#endif

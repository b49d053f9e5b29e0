// Modes without a factor against those that are found with one.

#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include "support/engine_cases.hpp"

namespace brio::testing {
namespace {

const Overrides kIterative = {"integrator.engine=iterative"};

TEST(ModesWithoutFactor, are_those_found_with_a_factor) {
  for (const auto& make : bodies_with_modes()) {
    SCOPED_TRACE(&make - bodies_with_modes().data());
    expect_same_modes(find_vibrations(make({}), 8), find_vibrations(make(kIterative), 8));
  }
}

TEST(ModesWithoutFactor, of_hard_bodies) {
  for (const Overrides& hard : {Overrides{"materials[0].nu=0.49"}, Overrides{"materials[0].E=1e10"}}) {
    SCOPED_TRACE(hard[0]);
    expect_same_modes(find_vibrations(bar(hard), 8), find_vibrations(bar(with(hard, kIterative)), 8));
  }
}

TEST(ModesWithoutFactor, have_the_same_bits_for_any_number_of_threads) {
  std::vector<Vibration> first;
  for (int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const std::vector<Vibration> found = find_vibrations(bar(kIterative), 5);
    if (first.empty()) first = found;
    for (size_t k = 0; k < first.size(); ++k) {
      EXPECT_EQ(found[k].lambda, first[k].lambda) << threads;
      EXPECT_EQ(found[k].shape, first[k].shape) << threads;
    }
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace brio::testing

// Modes by SLEPc against those that one process finds.

#include "brio/scene/vibrations.hpp"

#include <gtest/gtest.h>

#include "petsc/one_rank.hpp"
#include "support/engine_cases.hpp"
#include <cmath>

namespace brio::testing {
namespace {

TEST(ModesOverRanks, are_those_of_one_process) {
  const std::vector<std::function<Simulation(const Overrides&)>> makers = {
      [](const Overrides& o) { return bar(o); },  // square across: bending modes come in pairs
      [](const Overrides& o) { return bar(with({"constraints=[]"}, o)); },  // six rigid motions
      [](const Overrides& o) { return scene("tied-bars", o); }};
  for (size_t i = 0; i < makers.size(); ++i) {
    SCOPED_TRACE(i);
    const auto one = alone([&] { return find_vibrations(makers[i]({}), 8); });
    const auto all = find_vibrations(makers[i]({"integrator.engine=petsc"}), 8);
    ASSERT_EQ(one.size(), all.size());
    const double fastest = one.back().lambda;
    for (size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(one[k].rigid, all[k].rigid) << k;
      EXPECT_NEAR(one[k].lambda, all[k].lambda, 1e-8 * (one[k].rigid ? fastest : one[k].lambda)) << k;
    }
    // Where it stands alone, a mode is the same up to its sign.
    for (size_t k = 1; k + 1 < one.size(); ++k) {
      const bool alone_there = !one[k].rigid && one[k].lambda > 1.01 * one[k - 1].lambda && one[k + 1].lambda > 1.01 * one[k].lambda;
      if (!alone_there) continue;
      const double sign = one[k].shape.dot(all[k].shape) > 0 ? 1 : -1;
      EXPECT_LT((one[k].shape - sign * all[k].shape).norm(), 1e-5 * one[k].shape.norm()) << k;
    }
  }
}

}  // namespace
}  // namespace brio::testing

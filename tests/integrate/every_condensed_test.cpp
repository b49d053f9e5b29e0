// Every integrator that can drive a condensed body.

#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include "integrate/condensed_bodies.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::bent_body;
using testing::condensed;
using testing::vertex_at;

class EveryCondensed : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryCondensed, swings_without_running_away) {
  const NodalSystem system = Bar(1, true).with_gravity().system();
  State state = at_rest(system);
  const auto method = condensed({vertex_at(system, {0.4, 0.1, 0.1})}, GetParam());
  method->prepare(system);
  const double start = system.potentials(0, state.q).total();
  const double h = GetParam() == "fe" ? 2e-4 : 5e-3;
  double lowest = 0, most = -1e300;
  for (int i = 0; i < 200; ++i) {
    const StepReport report = method->step(state, h);
    ASSERT_EQ(report.status, StepStatus::ok) << report.reason;
    lowest = std::min(lowest, state.q[1] - system.rest()[1]);
    most = std::max(most, system.potentials(state.t, state.q).total() +
                              0.5 * state.v.dot(system.mass().cwiseProduct(state.v)) - start);
  }
  EXPECT_TRUE(state.q.allFinite());
  EXPECT_LT((state.q - system.rest()).lpNorm<Eigen::Infinity>(), 0.3);
  EXPECT_LT(most, 0.3 * 4 * 9.81 * 0.1);  // of what the weight, 4 kg, gives in a tenth of a meter
}

State driven(const std::string& name, int threads, bool fresh_each_step) {
  set_thread_count(threads);
  Bar bar(2, true);
  bar.with_gravity().parts.damping = {0.1, 1e-4, true};
  const NodalSystem system = bar.system();
  State state = bent_body(system);
  const auto make = [&] {
    return testing::prepared(system, condensed({vertex_at(system, {0.4, 0, 0}), vertex_at(system, {0.2, 0, 0})}, name));
  };
  auto method = make();
  for (int i = 0; i < 5; ++i) {
    if (fresh_each_step) method = make();
    EXPECT_EQ(method->step(state, 2e-4).status, StepStatus::ok);
  }
  set_thread_count(0);
  return state;
}

TEST_P(EveryCondensed, same_bits_with_a_fresh_integrator_and_with_any_number_of_threads) {
  const State kept = driven(GetParam(), 1, false);
  for (const State& other : {driven(GetParam(), 1, true), driven(GetParam(), 3, false)})
    EXPECT_TRUE(kept.q == other.q && kept.v == other.v);
}

TEST_P(EveryCondensed, a_state_that_is_not_finite_is_a_status) {
  const NodalSystem system = Bar(1, true).system();
  State state = at_rest(system);
  state.q[2] = std::nan("");
  const StepReport report =
      testing::prepared(system, condensed({vertex_at(system, {0.4, 0, 0})}, GetParam()))->step(state, 1e-3);
  EXPECT_EQ(report.status, StepStatus::diverged);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_EQ(state.t, 0);
}

std::vector<std::string> restartable_integrators() {
  std::vector<std::string> names;
  for (const IntegratorEntry& row : integrators())
    if (row.restartable) names.push_back(row.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryCondensed, ::testing::ValuesIn(restartable_integrators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace brio

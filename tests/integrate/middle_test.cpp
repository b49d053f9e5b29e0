// Exponential methods that linearize in the middle of the step: against dense exponentials, their order, and the energy
// that they keep.

#include <gtest/gtest.h>

#include "dense_motion.hpp"
#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::integrator;
using testing::law;
using testing::prepared;

struct Variant {
  std::string name;
  std::map<std::string, OptionValue> options;
};

/// Each with every motion carried exactly, so that a step is the exponential of the linearized motion and nothing else.
const Variant kExact[] = {
    {"siere", {{"modes", 1000.0}, {"linearize", "middle"}}},
    {"ksiere", {{"cut", 1e6}, {"depth", 20.0}, {"linearize", "middle"}}},
    {"ere", {{"tolerance", 1e-12}, {"linearize", "middle"}}},
};

/// A state with a past: what the method itself makes of a bar that falls into its weight.
State moved(Integrator& method, const NodalSystem& system, double h) {
  State state = at_rest(system);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(method.step(state, h).status, StepStatus::ok);
  return state;
}

class Middle : public ::testing::TestWithParam<Variant> {};

TEST_P(Middle, step_is_a_dense_exponential_about_a_point_ahead) {
  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const double h = 0.01;
  const auto method = prepared(system, integrator(GetParam().name, GetParam().options));
  const State before = moved(*method, system, h);
  const VectorXd* last = nullptr;
  for (const Remembered& remembered : before.memory)
    if (remembered.name == "last way") last = &remembered.values;
  State ahead = before;
  const VectorXd way = last ? VectorXd(0.5 * *last) : VectorXd(h / 2 * before.v);
  ahead.q += way;
  testing::DenseMotion dense(system, ahead, h);
  dense.f += dense.K * way;  // moved back to the beginning
  const VectorXd exact = dense.added(h);
  State after = before;
  ASSERT_EQ(method->step(after, h).status, StepStatus::ok);
  VectorXd added(exact.size());
  added << after.q - before.q, after.v - before.v;
  EXPECT_LT(dense.energy_norm(added - exact), 1e-10 * dense.energy_norm(exact));
}

INSTANTIATE_TEST_SUITE_P(All, Middle, ::testing::ValuesIn(kExact), [](const auto& info) { return info.param.name; });

/// Of what swings in a soft bar: every vibration is resolved by the steps.
VectorXd end_of_smooth_motion(const Variant& variant, int steps) {
  Bar bar(1, true, law("neo-hookean", {{"E", 2e3}, {"nu", 0.3}}));
  const NodalSystem system = bar.system();
  const auto method = prepared(system, testing::tight_integrator(variant.name, variant.options));
  State state = at_rest(system);
  for (Index i = 0; i < state.v.size(); i += 3) state.v[i + 1] = 0.6 * std::pow(state.q[i] / 0.4, 2);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(method->step(state, 0.1 / steps).status, StepStatus::ok);
  return state.q;
}

class SmoothMotion : public ::testing::TestWithParam<Variant> {};

TEST_P(SmoothMotion, has_order_two) {
  const VectorXd exact = end_of_smooth_motion({"rk4", {}}, 4000);
  const auto error = [&](int steps) { return (end_of_smooth_motion(GetParam(), steps) - exact).norm(); };
  const double order = std::log2(error(20) / error(40));
  EXPECT_GT(order, 1.8);
  EXPECT_LT(order, 2.6);
}

const Variant kSecondOrder[] = {{"lim", {}}, {"glim", {}}, {"im", {}},
                                kExact[0],   kExact[1],    {"ere", {{"tolerance", 1e-12}, {"linearize", "middle"}}}};
INSTANTIATE_TEST_SUITE_P(All, SmoothMotion, ::testing::ValuesIn(kSecondOrder),
                         [](const auto& info) { return info.param.name; });

/// The share of the energy that could move which a method has at the end of 200 steps of 0.01 s.
double kept_energy(const Variant& variant) {
  Bar bar(2, true, law("neo-hookean", {{"E", 1e5}, {"nu", 0.4}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const auto method = prepared(system, integrator(variant.name, variant.options));
  State state = at_rest(system);
  const double before = system.potentials(0, state.q).total();
  double lowest = before;
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(method->step(state, 0.01).status, StepStatus::ok);
    lowest = std::min(lowest, system.potentials(state.t, state.q).total());
  }
  const double now =
      system.potentials(state.t, state.q).total() + 0.5 * state.v.dot(system.mass().cwiseProduct(state.v));
  return (now - lowest) / (before - lowest);
}

TEST(MiddleEnergy, is_lost_at_a_third_of_the_rate_of_the_start_or_less) {
  for (const Variant& method :
       {Variant{"siere", {{"modes", 12.0}}}, Variant{"ksiere", {{"cut", 2.0}}}, Variant{"ere", {}}}) {
    Variant middle = method;
    middle.options["linearize"] = "middle";
    const double lost = 1 - kept_energy(middle);
    EXPECT_LT(lost, (1 - kept_energy(method)) / 3) << method.name;
    EXPECT_GT(lost, -0.01) << method.name;
  }
}

}  // namespace
}  // namespace brio

// KSIERE: what it equals, what it carries exactly, and what it keeps that si loses.

#include "brio/integrate/ksiere.hpp"

#include "brio/integrate/si.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include "support/oscillator.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::law;

TEST(Ksiere, without_a_cut_it_is_si) {
  Bar bar(2, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State one = at_rest(system), other = one;
  Ksiere ksiere(0, 2, PsdPolicy::clamp);
  SemiImplicitEuler si(1, PsdPolicy::clamp);
  for (int i = 0; i < 20; ++i) {
    ksiere.step(system, one, 0.01);
    si.step(system, other, 0.01);
    EXPECT_LT((one.q - other.q).norm(), 1e-10 * other.q.norm());
    EXPECT_LT((one.v - other.v).norm(), 1e-8 * (other.v.norm() + 1e-6));
  }
}

TEST(Ksiere, carries_an_oscillator_exactly) {
  const double omega = 40, h = 0.02;
  const NodalSystem system = testing::oscillator(omega);
  State state{0, Vec3(0.1, 0, 0), Vec3(0, 2, 0), {}};
  Ksiere ksiere(1, 2, PsdPolicy::automatic);
  for (int i = 1; i <= 500; ++i) {
    ASSERT_EQ(ksiere.step(system, state, h).status, StepStatus::ok);
    EXPECT_NEAR(state.q[0], 0.1 * std::cos(omega * i * h), 1e-11);
    EXPECT_NEAR(state.q[1], 2 / omega * std::sin(omega * i * h), 1e-11);
  }
}

TEST(Ksiere, damped_oscillator_is_exact_too) {
  const double omega = 30, h = 0.02, alpha = 2;
  const NodalSystem system = testing::oscillator(omega, 2, {alpha, 0, true});
  State state{0, Vec3(0.1, 0, 0), Vec3::Zero(), {}};
  Ksiere ksiere(1, 2, PsdPolicy::automatic);
  const double w = std::sqrt(omega * omega - alpha * alpha / 4);
  for (int i = 1; i <= 100; ++i) {
    ksiere.step(system, state, h);
    const double t = i * h;
    EXPECT_NEAR(state.q[0], 0.1 * std::exp(-alpha * t / 2) * (std::cos(w * t) + alpha / (2 * w) * std::sin(w * t)),
                1e-11);
  }
}

/// Second swing over first of a hanging bar, from the turning points of its gravity energy.
double swing_ratio(Integrator& integrator, const NodalSystem& system, double h, int steps) {
  State state = at_rest(system);
  std::vector<double> height;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(integrator.step(system, state, h).status, StepStatus::ok);
    height.push_back(system.potentials(state.t, state.q).gravity);
  }
  std::vector<double> turns;
  for (size_t i = 1; i + 1 < height.size(); ++i) {
    if ((height[i] - height[i - 1]) * (height[i + 1] - height[i]) < 0) turns.push_back(height[i]);
  }
  EXPECT_GE(turns.size(), 3u);
  return turns.size() < 3 ? 0 : (turns[1] - turns[2]) / (turns[1] - turns[0]);
}

TEST(Ksiere, keeps_the_swing_that_si_loses) {
  Bar bar(3, true, law("stable-neo-hookean", {{"E", 5e5}, {"nu", 0.45}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  SemiImplicitEuler si(1, PsdPolicy::automatic);
  Ksiere ksiere(1, 3, PsdPolicy::automatic);
  const auto im = testing::integrator("im");
  const double with_si = swing_ratio(si, system, 0.01, 120), with_ksiere = swing_ratio(ksiere, system, 0.01, 120);
  const double without_loss = swing_ratio(*im, system, 0.01, 120);
  EXPECT_LT(with_si, without_loss - 0.2);
  EXPECT_NEAR(with_ksiere, without_loss, 0.05);
}

}  // namespace
}  // namespace brio

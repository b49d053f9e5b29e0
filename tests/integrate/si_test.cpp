// Linearly implicit Euler against closed forms, and what it promises beyond them: momentum, bits, remedies.

#include "brio/integrate/methods/si.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/diagnose/momentum.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/oscillator.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::law;
using testing::oscillator;

TEST(Si, oscillator_loses_the_closed_form_per_step) {
  for (double h_omega : {0.01, 0.3, 1.0, 10.0}) {
    const double h = 0.01, omega = h_omega / h, mass = 2;
    const NodalSystem system = oscillator(omega, mass);
    SemiImplicitEuler si(1, PsdPolicy::automatic);
    si.prepare(system);
    State state{0, Vec3(0.1, -0.2, 0.3), omega * Vec3(0.3, 0.1, 0.2), {}};
    const auto energy = [&] {
      return system.potentials(state.t, state.q).total() + 0.5 * mass * state.v.squaredNorm();
    };
    const double before = energy();
    const int steps = 20;
    for (int i = 0; i < steps; ++i) ASSERT_EQ(si.step(state, h).status, StepStatus::ok);
    // The amplitude shrinks by 1/sqrt(1 + (h omega)^2) a step, the energy by its square (METHODS: oracles).
    const double expected = std::pow(1 + h_omega * h_omega, -steps);
    EXPECT_NEAR(energy() / before / expected, 1, 1e-10) << "h omega = " << h_omega;
    EXPECT_NEAR(state.t, steps * h, 1e-14);
  }
}

TEST(Si, beta_scales_the_implicit_part) {
  const double h = 0.02, omega = 30, beta = 0.7, q0 = 0.1, v0 = 0.4;
  const NodalSystem system = oscillator(omega);
  SemiImplicitEuler si(beta, PsdPolicy::none);
  si.prepare(system);
  State state{0, Vec3::Constant(q0), Vec3::Constant(v0), {}};
  si.step(state, h);
  // (1 + beta h^2 w^2) v1 = v0 - h w^2 q0, [CONJAC] eq. 5 without damping.
  const double v1 = (v0 - h * omega * omega * q0) / (1 + beta * h * h * omega * omega);
  EXPECT_NEAR(state.v[1], v1, 1e-12);
  EXPECT_NEAR(state.q[1], q0 + h * v1, 1e-14);
}

TEST(Si, damping_matrix_enters_and_is_booked) {
  const double h = 0.01, omega = 20, q0 = 0.1;
  const RayleighDamping damping{0.5, 0.002, true};
  const NodalSystem system = oscillator(omega, 2, damping);
  SemiImplicitEuler si(1, PsdPolicy::none);
  si.prepare(system);
  State state{0, Vec3(q0, 0, 0), Vec3::Zero(), {}};
  const StepReport report = si.step(state, h);
  const double d = damping.alpha + damping.beta * omega * omega;  // per unit mass
  const double v1 = -h * omega * omega * q0 / (1 + h * d + h * h * omega * omega);
  EXPECT_NEAR(state.v[0], v1, 1e-12);
  EXPECT_NEAR(report.dissipated, 2 * d * h * v1 * v1, 1e-12);
}

TEST(Si, free_flight_keeps_linear_momentum_to_round_off) {
  for (double E : {1e4, 1e9}) {
    Bar bar(2, false, law("stable-neo-hookean", {{"E", E}, {"nu", 0.4}}));
    const NodalSystem system = bar.system();
    State state = at_rest(system);
    for (Index i = 0; i < state.v.size() / 3; ++i) {  // thrown and spinning
      const Vec3 x = state.q.segment<3>(3 * i);
      state.v.segment<3>(3 * i) = Vec3(1, 2, -1) + Vec3(3, 0, 5).cross(x);
    }
    MatrixX3d x, u;
    const auto linear = [&]() -> Vec3 {
      system.positions(state.t, state.q, x);
      system.velocities(state.t, state.v, u);
      return momentum(system.vertex_mass(), x, u).linear;
    };
    const Vec3 before = linear();
    SemiImplicitEuler si(1, PsdPolicy::automatic);
    si.prepare(system);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(si.step(state, 0.01).status, StepStatus::ok);
    // Round-off of a solve: 2^-53 times the ratio of the matrix to the mass, h^2 K / M.
    EXPECT_LT((linear() - before).norm() / before.norm(), E < 1e6 ? 1e-13 : 1e-9) << "E = " << E;
  }
}

TEST(Si, falls_as_newton_says) {
  Bar bar(1, false);
  bar.with_gravity(Vec3(0, -10, 0));
  const NodalSystem system = bar.system();
  const int steps = 40;
  const double h = 0.01;
  // In its frame the center follows the parabola; the bare method puts the velocity of the end in place of the mean.
  for (const FramePolicy frame : {FramePolicy::automatic, FramePolicy::off}) {
    State state = at_rest(system);
    const VectorXd start = state.q;
    SemiImplicitEuler si(1, PsdPolicy::automatic, frame);
    si.prepare(system);
    for (int i = 0; i < steps; ++i) si.step(state, h);
    const double v = -10 * steps * h, fall = -10 * h * h * steps * (steps + (frame == FramePolicy::off)) / 2;
    for (Index i = 0; i < state.q.size() / 3; ++i) {
      EXPECT_NEAR(state.v[3 * i + 1], v, 1e-10);
      EXPECT_NEAR(state.q[3 * i + 1] - start[3 * i + 1], fall, 1e-10);
      EXPECT_NEAR(state.q[3 * i], start[3 * i], 1e-10);
    }
  }
}

TEST(Si, comes_to_rest_where_forces_balance) {
  Bar bar(2, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  SemiImplicitEuler si(1, PsdPolicy::automatic);
  si.prepare(system);
  for (int i = 0; i < 400; ++i) si.step(state, 0.1);
  VectorXd g;
  system.gradient(state.t, state.q, g);
  const double weight = 9.81 * system.vertex_mass().sum();
  EXPECT_LT(g.norm() / weight, 1e-9);
  EXPECT_LT(state.v.norm(), 1e-9);
  MatrixX3d x;
  system.positions(state.t, state.q, x);
  EXPECT_LT(x.col(1).minCoeff(), -0.02) << "the tip hangs down";
}

State swing(int threads, int steps, bool fresh_each_step) {
  set_thread_count(threads);
  Bar bar(5, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  auto si = std::make_unique<SemiImplicitEuler>(1, PsdPolicy::automatic);
  si->prepare(system);
  for (int i = 0; i < steps; ++i) {
    if (fresh_each_step) {
      si = std::make_unique<SemiImplicitEuler>(1, PsdPolicy::automatic);
      si->prepare(system);
    }
    EXPECT_EQ(si->step(state, 0.01).status, StepStatus::ok);
  }
  set_thread_count(0);
  return state;
}

TEST(Si, same_bits_for_any_number_of_threads) {
  const State one = swing(1, 10, false);
  for (int threads : {2, 3, 7}) {
    const State many = swing(threads, 10, false);
    EXPECT_TRUE(one.q == many.q && one.v == many.v) << threads << " threads";
  }
}

TEST(Si, a_fresh_integrator_with_the_same_state_gives_the_same_bits) {
  const State kept = swing(0, 6, false), fresh = swing(0, 6, true);
  EXPECT_TRUE(kept.q == fresh.q && kept.v == fresh.v);
}

/// A bar pressed to a fraction of its length, where the stiffness is indefinite.
State pressed(const NodalSystem& system, double factor) {
  MatrixX3d x = system.rest_positions();
  x.col(0) *= factor;
  return {0, system.free_part(x), VectorXd::Zero(system.dofs()), {}};
}

TEST(Si, answers_an_indefinite_matrix_and_counts_it) {
  Bar bar(3, true, law("stvk", {{"E", 1e5}, {"nu", 0.4}}));
  const NodalSystem system = bar.system();
  for (PsdPolicy policy : {PsdPolicy::automatic, PsdPolicy::none, PsdPolicy::clamp}) {
    SemiImplicitEuler si(1, policy);
    si.prepare(system);
    State state = pressed(system, 0.45);
    int projections = 0;
    for (int i = 0; i < 30; ++i) {
      const StepReport report = si.step(state, 0.02);
      ASSERT_EQ(report.status, StepStatus::ok);
      ASSERT_TRUE(state.q.allFinite());
      projections += report.projections;
      EXPECT_EQ(report.factorizations, 1 + report.projections + report.shifts);
    }
    EXPECT_TRUE(policy != PsdPolicy::clamp || projections == 0);
    EXPECT_TRUE(policy != PsdPolicy::automatic || projections > 0);
  }
}

TEST(Si, a_state_that_is_not_finite_is_a_status) {
  Bar bar(1, true);
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  state.v[4] = std::nan("");
  const State before = state;
  SemiImplicitEuler si(1, PsdPolicy::automatic);
  si.prepare(system);
  const StepReport report = si.step(state, 0.01);
  EXPECT_EQ(report.status, StepStatus::diverged);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_TRUE(state.q == before.q && state.t == before.t) << "the state is the one before the step";
}

TEST(Si, reports_where_the_time_went) {
  Bar bar(4, true);
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  SemiImplicitEuler si(1, PsdPolicy::none);
  si.prepare(system);
  si.step(state, 0.01);
  const StepReport report = si.step(state, 0.01);
  EXPECT_GT(report.time.assembly, 0);
  EXPECT_GT(report.time.factor, 0);
  EXPECT_GT(report.time.solve, 0);
  EXPECT_EQ(report.factorizations, 1);
  EXPECT_EQ(report.solves, 1);
}

}  // namespace
}  // namespace brio

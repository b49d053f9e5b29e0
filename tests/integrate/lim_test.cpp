// The linearly implicit midpoint rule, alone and guarded: against dense algebra, and the energy that it keeps.

#include "brio/integrate/methods/lim.hpp"

#include "brio/integrate/methods/glim.hpp"
#include "brio/integrate/methods/si.hpp"

#include <Eigen/LU>
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

double whole_energy(const NodalSystem& system, const State& state) {
  return system.potentials(state.t, state.q).total() + 0.5 * state.v.dot(system.mass().cwiseProduct(state.v));
}

/// -grad E at (t, q), and its derivative by central differences: nothing of the step's own matrices.
VectorXd force_at(const NodalSystem& system, double t, const VectorXd& q) {
  VectorXd gradient;
  system.gradient(t, q, gradient);
  return -gradient;
}

MatrixXd stiffness_by_differences(const NodalSystem& system, double t, const VectorXd& q) {
  constexpr double kShift = 1e-6;
  MatrixXd K(q.size(), q.size());
  VectorXd x = q;
  for (Index j = 0; j < q.size(); ++j) {
    x[j] = q[j] + kShift;
    const VectorXd ahead = force_at(system, t, x);
    x[j] = q[j] - kShift;
    K.col(j) = (force_at(system, t, x) - ahead) / (2 * kShift);
    x[j] = q[j];
  }
  return K;
}

TEST(Lim, is_one_newton_iteration_of_the_midpoint_rule_from_half_a_step_ahead) {
  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  LinearlyImplicitMidpoint lim(PsdPolicy::none);
  lim.prepare(system);
  const double h = 0.01;
  for (int i = 0; i < 5; ++i) ASSERT_EQ(lim.step(state, h).status, StepStatus::ok);
  const VectorXd ahead = state.q + h / 2 * state.v;
  MatrixXd A = h * h / 4 * stiffness_by_differences(system, state.t + h / 2, ahead);
  A.diagonal() += system.mass();
  const VectorXd dv = A.partialPivLu().solve(h * force_at(system, state.t + h / 2, ahead));
  const VectorXd q = state.q + h * (state.v + dv / 2), v = state.v + dv;
  lim.step(state, h);
  // Differences are good to about 1e-9 of the stiffness.
  EXPECT_LT((state.v - v).norm(), 1e-8 * v.norm());
  EXPECT_LT((state.q - q).norm(), 1e-10 * q.norm());
}

TEST(Lim, keeps_the_energy_of_an_oscillator_at_any_step) {
  for (double h_omega : {0.1, 1.0, 30.0}) {
    const double h = 0.01, omega = h_omega / h;
    const NodalSystem system = testing::oscillator(omega, 2);
    State state{0, Vec3(0.1, -0.2, 0.3), omega * Vec3(0.3, 0.1, 0.2), {}};
    const double before = whole_energy(system, state);
    LinearlyImplicitMidpoint lim(PsdPolicy::automatic);
    lim.prepare(system);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(lim.step(state, h).status, StepStatus::ok);
    EXPECT_NEAR(whole_energy(system, state) / before, 1, 1e-10) << h_omega;
  }
}

TEST(Glim, is_lim_where_the_guard_is_silent) {
  Bar bar(2, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State one = at_rest(system), other = one;
  LinearlyImplicitMidpoint lim(PsdPolicy::automatic);
  GuardedMidpoint glim(32, FramePolicy::automatic);
  lim.prepare(system);
  glim.prepare(system);
  for (int i = 0; i < 10; ++i) {
    lim.step(one, 0.005);
    const StepReport report = glim.step(other, 0.005);
    EXPECT_EQ(report.solves, 1);
    EXPECT_EQ(report.factorizations, 1);
  }
  EXPECT_EQ(one.q, other.q);
}

/// Without weight the energy of a body that hardly moves is round-off, of which laws like stable-neo-hookean have much:
/// nobody may take that for a gain or a loss.
TEST(Glim, round_off_of_a_body_at_rest_is_no_gain) {
  for (const char* name : {"stable-neo-hookean", "corotated", "neo-hookean"}) {
    for (const char* method : {"si", "siere", "ksiere", "lim", "glim"}) {
      for (const double speed : {0.0, 1e-7}) {
        Bar bar(3, true, law(name, {{"E", 5e5}, {"nu", 0.45}}));
        const NodalSystem system = bar.system();
        State state = at_rest(system);
        for (Index i = 0; i < state.v.size(); i += 3) state.v[i + 1] = speed * state.q[i] / 0.4;
        const auto integrator = testing::integrator(method);
        integrator->prepare(system);
        StepWork work;
        for (int i = 0; i < 40; ++i) work += integrator->step(state, 0.01);
        EXPECT_EQ(work.halvings + work.projections, 0) << name << ", " << method << ", " << speed;
      }
    }
  }
}

/// From soft to stiff at one step: the energy of a bar that falls into its own weight, against all that can move.
TEST(Glim, keeps_the_energy_of_bars_from_soft_to_stiff) {
  for (double E : {1e5, 5e6, 5e7, 5e9}) {
    Bar bar(2, true, law("neo-hookean", {{"E", E}, {"nu", 0.4}}));
    bar.with_gravity();
    const NodalSystem system = bar.system();
    State state = at_rest(system);
    const double before = whole_energy(system, state);
    GuardedMidpoint glim(32, FramePolicy::automatic);
    glim.prepare(system);
    double lowest = before, most = before, least = before;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(glim.step(state, 0.01).status, StepStatus::ok) << E;
      const double energy = whole_energy(system, state);
      lowest = std::min(lowest, system.potentials(state.t, state.q).total());
      most = std::max(most, energy);
      least = std::min(least, energy);
    }
    const Potentials now = system.potentials(state.t, state.q);
    const double moving = before - lowest + now.elastic;
    EXPECT_LT(most - before, 0.01 * moving) << E;
    EXPECT_GT(least - before, -0.01 * moving) << E;
  }
}

/// With a tolerance the pieces follow the motion: less is off, for more pieces.
TEST(Glim, adaptive_pieces_come_nearer_to_the_converged_midpoint) {
  Bar bar(2, true, law("neo-hookean", {{"E", 1e5}, {"nu", 0.4}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const auto end = [&](const std::string& name, std::map<std::string, OptionValue> options, int steps) {
    const auto method = testing::prepared(system, testing::integrator(name, options));
    State state = at_rest(system);
    double pieces = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = method->step(state, 0.6 / steps);
      EXPECT_EQ(report.status, StepStatus::ok);
      pieces += testing::extra(report, "pieces");
    }
    return std::pair(state.q, pieces);
  };
  const VectorXd exact = end("im", {{"tolerance", 1e-9}}, 1200).first;
  const auto [rough, few] = end("glim", {}, 30);
  const auto [fine, more] = end("glim", {{"adaptive", 1e-3}}, 30);
  const auto [finer, many] = end("glim", {{"adaptive", 1e-4}}, 30);
  EXPECT_LT(few, more);
  EXPECT_LT(more, many);
  // What is left is the midpoint rule's own error, which the tolerance does not see.
  EXPECT_LT((fine - exact).norm(), 0.7 * (rough - exact).norm());
  EXPECT_LT((finer - exact).norm(), 0.8 * (fine - exact).norm());
}

/// A body thrown out of shape so far that one linearization says nothing: where lim is lost, glim takes pieces.
TEST(Glim, takes_a_violent_step_in_pieces) {
  Bar bar(2, true);
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  const VectorXd rest = state.q;
  for (Index i = 0; i < state.q.size(); i += 3) {  // a twist of a turn and a half over its length
    const double angle = 3 * M_PI * rest[i] / 0.4, y = rest[i + 1] - 0.05, z = rest[i + 2] - 0.05;
    state.q[i + 1] = 0.05 + std::cos(angle) * y - std::sin(angle) * z;
    state.q[i + 2] = 0.05 + std::sin(angle) * y + std::cos(angle) * z;
  }
  const double before = whole_energy(system, state);
  GuardedMidpoint glim(32, FramePolicy::automatic);
  glim.prepare(system);
  double most = before, pieces = 0;
  for (int i = 0; i < 50; ++i) {
    const StepReport report = glim.step(state, 0.01);
    ASSERT_EQ(report.status, StepStatus::ok);
    pieces = std::max(pieces, testing::extra(report, "most_pieces"));
    most = std::max(most, whole_energy(system, state));
  }
  EXPECT_GT(pieces, 1);
  EXPECT_LT(most, 1.01 * before);
  EXPECT_GT(whole_energy(system, state), 0.8 * before);
}

}  // namespace
}  // namespace brio

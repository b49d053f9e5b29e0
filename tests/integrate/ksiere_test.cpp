// KSIERE: what it equals, what it carries exactly, and what it keeps that si loses.

#include "brio/integrate/methods/ksiere.hpp"

#include "brio/integrate/methods/si.hpp"
#include "brio/system/modes.hpp"

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
  const RayleighDamping dampings[] = {{0, 0, true}, {0.5, 0.002, false}, {0.5, 0.002, true}};
  for (const RayleighDamping& damping : dampings) {
    Bar bar(2, true);
    bar.with_gravity();
    bar.parts.damping = damping;
    const NodalSystem system = bar.system();
    State one = at_rest(system), other = one;
    Ksiere ksiere(0, 2, PsdPolicy::clamp);
    ksiere.prepare(system);
    SemiImplicitEuler si(1, PsdPolicy::clamp);
    si.prepare(system);
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(ksiere.step(one, 0.01).solves, 2);
      si.step(other, 0.01);
      EXPECT_LT((one.q - other.q).norm(), 1e-10 * other.q.norm());
      EXPECT_LT((one.v - other.v).norm(), 1e-8 * (other.v.norm() + 1e-6));
    }
  }
}

TEST(Ksiere, carries_an_oscillator_exactly) {
  const double omega = 40, h = 0.02;
  const NodalSystem system = testing::oscillator(omega);
  State state{0, Vec3(0.1, 0, 0), Vec3(0, 2, 0), {}};
  Ksiere ksiere(1, 2, PsdPolicy::automatic);
  ksiere.prepare(system);
  for (int i = 1; i <= 500; ++i) {
    ASSERT_EQ(ksiere.step(state, h).status, StepStatus::ok);
    EXPECT_NEAR(state.q[0], 0.1 * std::cos(omega * i * h), 1e-11);
    EXPECT_NEAR(state.q[1], 2 / omega * std::sin(omega * i * h), 1e-11);
  }
}

TEST(Ksiere, damped_oscillator_is_exact_too) {
  const double omega = 30, h = 0.02, alpha = 2;
  const NodalSystem system = testing::oscillator(omega, 2, {alpha, 0, true});
  State state{0, Vec3(0.1, 0, 0), Vec3::Zero(), {}};
  Ksiere ksiere(1, 2, PsdPolicy::automatic);
  ksiere.prepare(system);
  const double w = std::sqrt(omega * omega - alpha * alpha / 4);
  for (int i = 1; i <= 100; ++i) {
    ksiere.step(state, h);
    const double t = i * h;
    EXPECT_NEAR(state.q[0], 0.1 * std::exp(-alpha * t / 2) * (std::cos(w * t) + alpha / (2 * w) * std::sin(w * t)),
                1e-11);
  }
}

/// Second swing over first of a hanging bar, from the turning points of its gravity energy.
double swing_ratio(Integrator& integrator, const NodalSystem& system, double h, int steps) {
  integrator.prepare(system);
  State state = at_rest(system);
  std::vector<double> height;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(integrator.step(state, h).status, StepStatus::ok);
    height.push_back(system.potentials(state.t, state.q).gravity);
  }
  std::vector<double> turns;
  for (size_t i = 1; i + 1 < height.size(); ++i) {
    if ((height[i] - height[i - 1]) * (height[i + 1] - height[i]) < 0) turns.push_back(height[i]);
  }
  EXPECT_GE(turns.size(), 3u);
  return turns.size() < 3 ? 0 : (turns[1] - turns[2]) / (turns[1] - turns[0]);
}

/// Damping by the stiffness at rest couples the motions of a bent body, and two steps of it are stiff: the bar must
/// creep to where si brings it, never faster than it falls, and what is dissipated is what it comes down by.
TEST(Ksiere, stiff_damping_that_couples_the_motions_brings_it_to_rest) {
  Bar bar(4, true, law("stable-neo-hookean", {{"E", 5e5}, {"nu", 0.45}}));
  bar.with_gravity();
  bar.parts.damping = {0, 0.02, true};
  const NodalSystem system = bar.system();
  State state = at_rest(system), other = state;
  Ksiere ksiere(1, 0, PsdPolicy::automatic);
  ksiere.prepare(system);
  SemiImplicitEuler si(1, PsdPolicy::automatic);
  si.prepare(system);
  const double start = system.potentials(0, state.q).total();
  double dissipated = 0;
  for (int i = 0; i < 300; ++i) {
    const StepReport report = ksiere.step(state, 0.01);
    ASSERT_EQ(report.status, StepStatus::ok);
    dissipated += report.dissipated;
    si.step(other, 0.01);
  }
  EXPECT_LT(state.v.norm(), 1e-4 * std::sqrt(static_cast<double>(system.dofs())));
  EXPECT_LT((state.q - other.q).norm(), 1e-4 * other.q.norm());
  // The books of a damped step are of first order in h; the swing would be over in some twenty steps.
  const double released = start - system.potentials(0, state.q).total();
  EXPECT_NEAR(dissipated / released, 1, 0.1);
}

/// The slow motion meets a moving support on the whole way, not where it is at the end of the step: otherwise the error
/// would halve with the step, and the books of the support's work would be off by as much.
TEST(Ksiere, a_moving_support_is_met_at_second_order) {
  const NodalSystem system = testing::oscillator_on_a_swing();
  const double duration = 0.3;
  const auto end = [&](Integrator& method, int steps) {
    method.prepare(system);
    State state = at_rest(system);
    for (int i = 0; i < steps; ++i) EXPECT_EQ(method.step(state, duration / steps).status, StepStatus::ok);
    return state.q[0];
  };
  Ksiere ksiere(1, 2, PsdPolicy::automatic, FramePolicy::off);
  const double exact = end(*testing::tight_integrator("rk4"), 4000);
  EXPECT_NEAR(std::log2((end(ksiere, 32) - exact) / (end(ksiere, 64) - exact)), 2, 0.1);
}

TEST(Ksiere, keeps_the_swing_that_si_loses) {
  Bar bar(3, true, law("stable-neo-hookean", {{"E", 5e5}, {"nu", 0.45}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  SemiImplicitEuler si(1, PsdPolicy::automatic);
  Ksiere ksiere(1, 0, PsdPolicy::automatic);
  const auto im = testing::integrator("im");
  const double with_si = swing_ratio(si, system, 0.01, 120), with_ksiere = swing_ratio(ksiere, system, 0.01, 120);
  const double without_loss = swing_ratio(*im, system, 0.01, 120);
  EXPECT_LT(with_si, without_loss - 0.2);
  EXPECT_NEAR(with_ksiere, without_loss, 0.05);
}

/// One half of the bar a thousand times as stiff as the other.
Bar two_materials() {
  Bar bar(2, true);
  ElasticPart soft{law("stable-neo-hookean", {{"E", 1e5}, {"nu", 0.3}}), {}};
  ElasticPart stiff{law("stable-neo-hookean", {{"E", 1e8}, {"nu", 0.3}}), {}};
  for (int e = 0; e < bar.mesh.tets(); ++e) {
    double x = 0;
    for (int a = 0; a < 4; ++a) x += bar.mesh.X(bar.mesh.T(e, a), 0) / 4;
    (x < 0.2 ? soft : stiff).tets.push_back(e);
  }
  bar.parts.energies[0] = std::make_unique<ElasticEnergy>(bar.mesh, std::vector<ElasticPart>{soft, stiff});
  return bar;
}

/// Twelve modes with equal energy, so little of it that the bar is linear, over 50 steps in which the fastest has
/// h omega = 0.95.
struct TwelveModes {
  NodalSystem system;
  State rest, state;
  Modes modes;
  double h;

  explicit TwelveModes(Bar bar) : system(bar.system()), rest(at_rest(system)), state(rest) {
    const auto lin = system.linearization();
    VectorXd gradient;
    lin->assemble(0, rest.q, Psd::none, gradient);
    modes = find_modes(*lin, system.mass(), 12, 1).modes;
    h = 0.95 / std::sqrt(modes.lambda[11]);
    for (int i = 0; i < 12; ++i) state.v += (i % 2 ? 1e-6 : -1e-6) * modes.U.col(i);
  }

  /// Largest change of a mode's energy; `solves` a step in the mean.
  double worst_after_50_steps(Integrator& integrator, double& solves) {
    integrator.prepare(system);
    solves = 0;
    for (int i = 0; i < 50; ++i) {
      const StepReport report = integrator.step(state, h);
      EXPECT_EQ(report.status, StepStatus::ok);
      solves += report.solves / 50.0;
    }
    double worst = 0;
    for (int i = 0; i < 12; ++i) {
      const VectorXd Mu = system.mass().cwiseProduct(modes.U.col(i));
      const double energy = std::pow(Mu.dot(state.v), 2) + modes.lambda[i] * std::pow(Mu.dot(state.q - rest.q), 2);
      worst = std::max(worst, std::fabs(energy / 1e-12 - 1));
    }
    return worst;
  }
};

TEST(Ksiere, carries_twelve_modes_at_once) {
  struct Row {
    int depth;
    double bound;
  };
  const auto one_material = [] { return Bar(2, true, law("stable-neo-hookean", {{"E", 5e5}, {"nu", 0.3}})); };
  for (int bar = 0; bar < 2; ++bar) {
    double solves = 0;
    // With which sign a mode is found is chance. Over 27 choices of the signs the bar of two materials was off by 0.02 to
    // 0.2 % at either depth, and by 0.45 % in what clang's build finds.
    for (const Row row : {Row{5, 0.01}, Row{8, bar ? 0.01 : 0.001}}) {
      Ksiere fixed(1, row.depth, PsdPolicy::none);
      EXPECT_LT(TwelveModes(bar ? two_materials() : one_material()).worst_after_50_steps(fixed, solves), row.bound)
          << "bar " << bar << ", depth " << row.depth;
      EXPECT_NEAR(solves, 2 * (row.depth - 1), 1e-9);
    }
    Ksiere chosen(1, 0, PsdPolicy::none);
    EXPECT_LT(TwelveModes(bar ? two_materials() : one_material()).worst_after_50_steps(chosen, solves), 0.01) << bar;
    EXPECT_LT(solves, 4.5) << "bar " << bar << ": what the step before has found is used again";
    SemiImplicitEuler si(1, PsdPolicy::none);
    EXPECT_GT(TwelveModes(bar ? two_materials() : one_material()).worst_after_50_steps(si, solves), 0.9);
  }
}

TEST(Ksiere, momentum_of_a_thrown_body_with_and_without_a_frame) {
  const Vec3 g(0, -9.81, 0);
  for (const FramePolicy frame : {FramePolicy::off, FramePolicy::automatic}) {
    Bar bar(2, false);
    bar.with_gravity(g);
    const NodalSystem system = bar.system();
    State state = at_rest(system);
    for (Index i = 0; i < state.q.size(); i += 3) {
      const double s = state.q[i] / 0.4;
      state.q[i + 1] += 0.03 * s * s;
      state.v.segment<3>(i) = Vec3(3, 2 + s, s * s);
    }
    const double mass = system.vertex_mass().sum();
    const auto linear = [&] {
      Vec3 p = Vec3::Zero();
      for (Index i = 0; i < state.v.size(); i += 3) p += system.mass()[i] * state.v.segment<3>(i);
      return p;
    };
    const Vec3 before = linear();
    Ksiere ksiere(1, 0, PsdPolicy::automatic, frame);
    ksiere.prepare(system);
    const double h = 0.01;
    for (int i = 1; i <= 100; ++i) {
      ASSERT_EQ(ksiere.step(state, h).status, StepStatus::ok);
      // Round-off of the weights' sum in each step.
      EXPECT_LT((linear() - before - i * h * mass * g).norm(), 1e-14 * i * before.norm());
    }
  }
}

TEST(Ksiere, a_body_at_rest_stays_there_and_costs_one_block_of_solves) {
  Bar bar(1, true);
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  const VectorXd q = state.q;
  Ksiere ksiere(1, 0, PsdPolicy::automatic);
  ksiere.prepare(system);
  for (int i = 0; i < 3; ++i) {
    const StepReport report = ksiere.step(state, 0.01);
    EXPECT_EQ(report.status, StepStatus::ok);
    EXPECT_LE(report.solves, 4 * (1 + report.projections));  // a step may be taken twice
  }
  EXPECT_LT((state.q - q).norm(), 1e-14 * q.norm());  // round-off of the forces at rest
}

TEST(Ksiere, a_step_of_no_length_changes_nothing) {
  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  state.v.setConstant(0.1);
  const State before = state;
  Ksiere ksiere(1, 0, PsdPolicy::automatic);
  ksiere.prepare(system);
  EXPECT_EQ(ksiere.step(state, 0).status, StepStatus::ok);
  EXPECT_TRUE(state.q == before.q && state.v == before.v);
}

TEST(Ksiere, a_single_point_has_no_room_for_a_deep_space) {
  const double omega = 40, h = 0.02;
  const NodalSystem system = testing::oscillator(omega);
  for (int depth : {0, 2, 20}) {
    State state{0, Vec3(0.1, 0.05, -0.2), Vec3(0, 2, 1), {}};
    Ksiere ksiere(1, depth, PsdPolicy::automatic);
    ksiere.prepare(system);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(ksiere.step(state, h).status, StepStatus::ok);
    EXPECT_NEAR(state.q[0], 0.1 * std::cos(omega * 50 * h), 1e-11);
  }
}

TEST(Ksiere, stands_an_indefinite_stiffness) {
  // Squeezed to 60 % of its length, the bar buckles.
  Bar bar(2, true, law("neo-hookean", {{"E", 1e5}, {"nu", 0.4}}));
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  for (Index i = 0; i < state.q.size(); i += 3) state.q[i] *= 0.6;
  state.q[1] += 1e-4;
  const double energy = system.potentials(0, state.q).total();
  Ksiere ksiere(1, 0, PsdPolicy::automatic);
  ksiere.prepare(system);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(ksiere.step(state, 0.01).status, StepStatus::ok) << i;
    const double now =
        system.potentials(state.t, state.q).total() + 0.5 * state.v.dot(system.mass().cwiseProduct(state.v));
    ASSERT_LT(now, 1.1 * energy) << i;  // two steps may each gain the 5 % below which none is taken again
  }
}

}  // namespace
}  // namespace brio

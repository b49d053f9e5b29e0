// The implicit methods: what they conserve, how their solvers converge, and what they do when those do not.

#include "brio/diagnose/momentum.hpp"
#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/optimize/newton.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::integrator;
using testing::law;
using testing::tight_integrator;

Momentum momentum_of(const NodalSystem& system, const State& state) {
  MatrixX3d x, u;
  system.positions(state.t, state.q, x);
  system.velocities(state.t, state.v, u);
  return momentum(system.vertex_mass(), x, u);
}

TEST(ImplicitMidpoint, keeps_angular_momentum_of_a_spinning_body) {
  Bar bar(1, false, law("neo-hookean", {{"E", 1e5}, {"nu", 0.3}}));
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  for (Index i = 0; i < state.q.size() / 3; ++i) {
    const Vec3 x = state.q.segment<3>(3 * i);
    state.v.segment<3>(3 * i) = Vec3(1, -2, 8).cross(x - Vec3(0.2, 0.05, 0.05));
  }
  const Vec3 before = momentum_of(system, state).angular;
  const auto im = tight_integrator("im");
  im->prepare(system);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(im->step(state, 0.01).status, StepStatus::ok);
  // 200 steps, each with a residual of at most 1e-12 m/s.
  EXPECT_LT((momentum_of(system, state).angular - before).norm(), 1e-9 * before.norm());
}

/// [STABLE] equation 7: k/2 (|x|^2 - 1)^2, a spring of rest length 1 m between the vertex and the origin.
class SquaredSpring : public VertexEnergy {
 public:
  SquaredSpring() : VertexEnergy(Ledger::elastic, {0}) {}
  void evaluate(double, const VectorXd& x, const EnergyWant& want) const override {
    constexpr double k = 1e5;  // [N/m^3]
    const double stretch = x.squaredNorm() - 1;
    if (want.value) *want.value += k / 2 * stretch * stretch;
    if (want.gradient) *want.gradient += 2 * k * stretch * x;
    if (want.hessian) {
      const Mat3 H = 4 * k * x * x.transpose() +
                     2 * k * (want.psd == Psd::clamp ? std::max(stretch, 0.0) : stretch) * Mat3::Identity();
      for (int i = 0; i < 9; ++i) want.hessian->block(slot_[0])[i] += H(i / 3, i % 3);
    }
  }
  bool time_dependent() const override { return false; }
};

/// The spinning spring of [STABLE] figure 2: 0.5 kg that starts at 1.5 m with 10 m/s across.
NodalSystem spinning_spring() {
  NodalParts parts;
  parts.x0.resize(1, 3);
  parts.x0 << 1, 0, 0;
  parts.vertex_mass = VectorXd::Constant(1, 0.5);
  parts.energies.push_back(std::make_unique<SquaredSpring>());
  return NodalSystem(std::move(parts));
}

struct Orbit {
  double largest_energy, largest_distance, angular_error;
  bool ok;
};

Orbit orbit(double h, double duration) {
  const NodalSystem system = spinning_spring();
  State state{0, Vec3(1.5, 0, 0), Vec3(0, 10, 0), {}};
  const auto im = tight_integrator("im");
  im->prepare(system);
  const auto energy = [&] { return system.potentials(state.t, state.q).total() + 0.25 * state.v.squaredNorm(); };
  const double angular = 0.5 * 1.5 * 10, start = energy();
  Orbit orbit{1, 0, 0, true};
  for (int i = 0; i < std::lround(duration / h); ++i) {
    orbit.ok = orbit.ok && im->step(state, h).status == StepStatus::ok;
    orbit.largest_energy = std::max(orbit.largest_energy, energy() / start);
    orbit.largest_distance = std::max(orbit.largest_distance, state.q.norm());
    const double now = 0.5 * (state.q[0] * state.v[1] - state.q[1] * state.v[0]);
    orbit.angular_error = std::max(orbit.angular_error, std::fabs(now / angular - 1));
  }
  return orbit;
}

TEST(ImplicitMidpoint, spinning_spring_explodes_at_large_steps_yet_keeps_angular_momentum) {
  const Orbit large = orbit(0.033, 3);
  EXPECT_TRUE(large.ok);
  EXPECT_GT(large.largest_energy, 10) << "[STABLE] figure 3: the energy explodes at h = 0.033";
  EXPECT_LT(large.angular_error, 1e-8);
  const Orbit small = orbit(0.00033, 3);
  EXPECT_LT(small.largest_energy, 1.05);
  EXPECT_LT(small.largest_distance, 1.55) << "h = 0.00033 stays inside the circle";
  EXPECT_LT(small.angular_error, 1e-8);
}

/// A backward Euler stage of a bar that was bent by hand.
struct BentStage {
  NodalSystem system;
  Stage stage;
  VectorXd y;
  explicit BentStage(double bend) : system(Bar(2, true, law("neo-hookean", {{"E", 1e5}, {"nu", 0.4}})).system()) {
    MatrixX3d x = system.rest_positions();
    for (Index i = 0; i < x.rows(); ++i) x(i, 1) += bend * x(i, 0) * x(i, 0);
    y = system.free_part(x);
    const double h = 0.02;
    stage.t = stage.s = stage.c = h;
    stage.y_hat = stage.y0 = y;
    stage.w0 = VectorXd::Zero(y.size());
  }
};

TEST(Newton, converges_quadratically) {
  BentStage bent(0.6);
  StageProblem problem(bent.system);
  problem.set(bent.stage);
  std::vector<double> residual;
  for (int iterations = 0; iterations < 8; ++iterations) {
    VectorXd y = bent.y;
    residual.push_back(Newton({1e-13, iterations}).solve(problem, y).residual);
    if (residual.back() < 1e-13) break;
  }
  std::string all;
  for (double r : residual) all += fmt::format("{:.2e} ", r);
  // r2 = c r1^2 once it has begun to bite: over two iterations the exponent log(r3 / r2) / log(r2 / r1) is near 2,
  // while linear convergence has 1. The last residual is left out where it is round-off.
  double steepest = 0;
  for (size_t i = 0; i + 2 < residual.size(); ++i) {
    if (residual[i + 2] < 1e-13 || residual[i + 1] > 0.5 * residual[i]) continue;
    steepest =
        std::max(steepest, std::log(residual[i + 2] / residual[i + 1]) / std::log(residual[i + 1] / residual[i]));
  }
  EXPECT_GT(steepest, 1.7) << all;
  EXPECT_LT(residual.back(), 1e-10);
}

TEST(Newton, both_forms_find_the_same_stage) {
  BentStage bent(0.6);
  StageProblem problem(bent.system);
  problem.set(bent.stage);
  VectorXd plain = bent.y, descent = bent.y;
  EXPECT_TRUE(Newton({1e-11, 20}).solve(problem, plain).converged);
  EXPECT_TRUE(NewtonDescent({1e-11, 100}).solve(problem, descent).converged);
  EXPECT_LT((plain - descent).norm(), 1e-10);
}

TEST(NewtonDescent, never_goes_uphill) {
  BentStage bent(3);  // far from rest
  StageProblem problem(bent.system);
  problem.set(bent.stage);
  VectorXd y = bent.y, residual;
  problem.assemble(y, Psd::clamp, residual);
  double last = problem.objective(y);
  for (int i = 0; i < 30; ++i) {
    if (NewtonDescent({1e-10, 1}).solve(problem, y).converged) break;
    const double now = problem.objective(y);
    EXPECT_LE(now, last + 1e-12 * std::fabs(last));
    last = now;
  }
  EXPECT_TRUE(NewtonDescent({1e-9, 1}).solve(problem, y).converged);
}

TEST(ImplicitIntegrator, halves_a_step_that_does_not_converge_and_says_so) {
  Bar bar(2, true, law("neo-hookean", {{"E", 1e4}, {"nu", 0.4}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  state.v.setConstant(30);  // meters per step
  const auto be = integrator("be", {{"iterations", 3.0}});
  be->prepare(system);
  const StepReport report = be->step(state, 0.05);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.halvings, 0);
  EXPECT_EQ(report.unconverged, report.halvings);
  EXPECT_GT(report.iterations, 3);
  EXPECT_NEAR(state.t, 0.05, 1e-15);
}

TEST(ImplicitIntegrator, bdf2_starts_anew_when_its_history_does_not_fit) {
  const NodalSystem small = Bar(1, true).system(), large = Bar(2, true).system();
  const auto method = integrator("bdf2");
  method->prepare(small);
  State state = at_rest(small);
  method->step(state, 0.01);
  State other = at_rest(large);
  other.memory = state.memory;
  method->prepare(large);
  EXPECT_EQ(method->step(other, 0.01).status, StepStatus::ok);
  EXPECT_EQ(other.memory[0].values.size(), large.dofs());
}

TEST(ImplicitIntegrator, bdf2_keeps_its_order_when_the_step_changes) {
  // q'' = -w^2 q with steps that alternate 1 : 2; the error must fall by four when all are halved.
  const auto error = [](int pieces) {
    NodalParts parts;
    parts.x0 = MatrixX3d::Zero(1, 3);
    parts.vertex_mass = VectorXd::Constant(1, 1);
    parts.energies.push_back(std::make_unique<AttachmentEnergy>(std::vector<int>{0}, parts.x0, 100.0, stand_still()));
    const NodalSystem system(std::move(parts));
    State state{0, Vec3(1, 0, 0), Vec3::Zero(), {}};
    const auto method = tight_integrator("bdf2");
    method->prepare(system);
    for (int i = 0; i < pieces; ++i) {
      method->step(state, 0.3 / pieces / 3);
      method->step(state, 0.3 / pieces * 2 / 3);
    }
    return std::fabs(state.q[0] - std::cos(10 * 0.3));
  };
  EXPECT_NEAR(std::log2(error(100) / error(200)), 2, 0.15);
}

}  // namespace
}  // namespace brio

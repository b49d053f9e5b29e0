// What holds for every row of the table: order of convergence, linear momentum, bits, and what is refused.

#include "brio/core/parallel.hpp"
#include "brio/diagnose/momentum.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>
#include <set>

namespace brio {
namespace {

using testing::Bar;
using testing::integrator;
using testing::law;
using testing::tight_integrator;

class EveryIntegrator : public ::testing::TestWithParam<std::string> {};

const std::map<std::string, double> kOrder = {{"fe", 1},         {"se", 1},  {"si", 1},    {"be", 1},
                                              {"rk4", 4},        {"im", 2},  {"bdf2", 2},  {"newmark", 2},
                                              {"genalpha", 2},   {"ere", 2}, {"siere", 1}, {"ksiere", 2},
                                              {"stabilized", 2}, {"lim", 2}, {"glim", 2}};

TEST(Integrators, every_row_has_its_order_tested) {
  for (const IntegratorEntry& row : integrators()) EXPECT_TRUE(kOrder.contains(row.name)) << row.name;
}

/// A soft bar, bent and moving: smooth, nonlinear and mild enough for every method.
State bent(const NodalSystem& system) {
  MatrixX3d x = system.rest_positions(), u(x.rows(), 3);
  for (Index i = 0; i < x.rows(); ++i) {
    const double s = x(i, 0) / 0.4;
    x(i, 1) += 0.03 * s * s;
    u.row(i) << 0, 0.1 * s, 0.2 * s * s;
  }
  return {0, system.free_part(x), system.free_part(u), {}};
}

VectorXd end_of_run(const std::string& name, const NodalSystem& system, int steps) {
  const double duration = 0.02;
  State state = bent(system);
  const auto method = tight_integrator(name);
  method->prepare(system);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(method->step(state, duration / steps).status, StepStatus::ok);
  VectorXd end(2 * system.dofs());
  end << state.q, 0.01 * state.v;
  return end;
}

TEST_P(EveryIntegrator, converges_with_its_order) {
  Bar bar(1, true, law("neo-hookean", {{"E", 2e4}, {"nu", 0.3}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const double order = kOrder.at(GetParam());
  const VectorXd exact = end_of_run("rk4", system, 4000);
  const int steps = order == 4 ? 32 : 64;
  const double coarse = (end_of_run(GetParam(), system, steps) - exact).norm();
  const double fine = (end_of_run(GetParam(), system, 2 * steps) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.15);
}

TEST_P(EveryIntegrator, keeps_linear_momentum_in_free_flight) {
  Bar bar(1, false);
  const NodalSystem system = bar.system();
  State state = bent(system);
  MatrixX3d x, u;
  const auto linear = [&]() -> Vec3 {
    system.positions(state.t, state.q, x);
    system.velocities(state.t, state.v, u);
    return momentum(system.vertex_mass(), x, u).linear;
  };
  const Vec3 before = linear();
  const auto method = tight_integrator(GetParam());
  method->prepare(system);
  for (int i = 0; i < 30; ++i) ASSERT_EQ(method->step(state, 1e-4).status, StepStatus::ok);
  // Round-off of 30 steps; for the implicit methods the residual of 1e-12 m/s that each step may leave, times the mass.
  EXPECT_LT((linear() - before).norm(), 1e-13 * before.norm() + 30 * 1e-12 * system.vertex_mass().sum());
}

State run(const std::string& name, int threads, bool fresh_each_step) {
  set_thread_count(threads);
  Bar bar(2, true, law("corotated", {{"E", 3e4}, {"nu", 0.3}}));
  bar.with_gravity();
  bar.parts.damping = {0.1, 1e-4, true};
  const NodalSystem system = bar.system();
  State state = bent(system);
  auto method = testing::prepared(system, integrator(name));
  for (int i = 0; i < 8; ++i) {
    if (fresh_each_step) method = testing::prepared(system, integrator(name));
    EXPECT_EQ(method->step(state, 2e-4).status, StepStatus::ok);
  }
  set_thread_count(0);
  return state;
}

TEST_P(EveryIntegrator, same_bits_with_a_fresh_integrator_and_with_any_number_of_threads) {
  const State kept = run(GetParam(), 1, false);
  for (const State& other : {run(GetParam(), 1, true), run(GetParam(), 3, false)}) {
    EXPECT_TRUE(kept.q == other.q && kept.v == other.v);
    ASSERT_EQ(kept.memory.size(), other.memory.size());
    for (size_t i = 0; i < kept.memory.size(); ++i) EXPECT_TRUE(kept.memory[i] == other.memory[i]);
  }
}

TEST_P(EveryIntegrator, describes_what_it_remembers) {
  for (bool held : {true, false}) {
    Bar bar(1, held);
    const NodalSystem system = bar.system();
    State state = bent(system);
    const auto method = testing::prepared(system, integrator(GetParam()));
    for (int i = 0; i < 3; ++i) ASSERT_EQ(method->step(state, 1e-4).status, StepStatus::ok);
    std::set<std::string> names;
    for (const Remembered& remembered : state.memory) {
      EXPECT_TRUE(!remembered.name.empty() && names.insert(remembered.name).second) << remembered.name;
      EXPECT_GT(remembered.values.size(), 0) << remembered.name;
      if (remembered.kind == Remembered::Kind::directions) {
        EXPECT_EQ(remembered.values.size(), remembered.columns * system.dofs()) << remembered.name;
      } else {
        EXPECT_EQ(remembered.values.size() % remembered.columns, 0) << remembered.name;
      }
    }
  }
}

TEST_P(EveryIntegrator, reports_no_extras_but_those_that_its_row_declares) {
  const NodalSystem system = Bar(1, true).system();
  State state = bent(system);
  const StepReport report = testing::prepared(system, integrator(GetParam()))->step(state, 1e-4);
  const auto& declared = find_row(integrators(), "integrator", GetParam()).extras;
  for (const auto& entry : report.extras.entries()) {
    const std::string_view name = entry.what->name;
    EXPECT_TRUE(std::any_of(declared.begin(), declared.end(), [&](auto& extra) { return extra.name == name; })) << name;
  }
}

TEST_P(EveryIntegrator, a_state_that_is_not_finite_is_a_status) {
  Bar bar(1, true);
  const NodalSystem system = bar.system();
  State state = testing::at_rest(system);
  state.q[2] = std::nan("");
  const StepReport report = testing::prepared(system, integrator(GetParam()))->step(state, 1e-3);
  EXPECT_EQ(report.status, StepStatus::diverged);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_EQ(state.t, 0);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::ValuesIn(names_of(integrators())),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace brio

// Condensation: what it must agree with.

#include "brio/core/error.hpp"
#include "brio/diagnose/energy_budget.hpp"
#include "brio/material/materials.hpp"
#include "brio/optimize/relax.hpp"
#include "brio/optimize/static_solve.hpp"
#include "brio/system/anchors.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <gtest/gtest.h>

#include "integrate/condensed_bodies.hpp"
#include "material/material_samples.hpp"
#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::bent_body;
using testing::condensed;
using testing::free_vertices;
using testing::integrator;
using testing::LinearSprings;
using testing::vertex_at;

TEST(Condensed, all_nodes_dynamic_is_si) {
  Bar bar(1, true);
  bar.with_gravity().parts.damping = {0.1, 1e-3, true};
  const NodalSystem system = bar.system();
  for (const double beta : {0.5, 1.0}) {
    State a = bent_body(system), b = a;
    const auto vanilla = integrator("si", {{"beta", beta}});
    vanilla->prepare(system);
    const auto all = condensed(free_vertices(system), "si", {}, {{"beta", beta}});
    all->prepare(system);
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(vanilla->step(a, 0.01).status, StepStatus::ok);
      const StepReport report = all->step(b, 0.01);
      ASSERT_EQ(report.status, StepStatus::ok);
      EXPECT_EQ(testing::extra(report, "dynamic_nodes"), static_cast<int>(system.dofs() / 3));
    }
    EXPECT_LT((a.q - b.q).norm(), 1e-10 * a.q.norm());
    EXPECT_LT((a.v - b.v).norm(), 1e-10 * a.v.norm() + 1e-12);
    EXPECT_EQ(a.t, b.t);
  }
}

TEST(Condensed, one_step_is_equation_11_and_13) {
  Bar bar(1, true);
  const NodalSystem system = bar.with_gravity().system();
  const State start = bent_body(system);
  const double h = 0.005, beta = 0.7, gamma = 0.4;
  const std::vector<int> nodes = {vertex_at(system, {0.4, 0, 0}), vertex_at(system, {0.2, 0.1, 0.1})};
  CondensedSystem small(system, {system.point_of(nodes[0]), system.point_of(nodes[1])});
  ASSERT_TRUE(small.rebase(h, start.q, start.v, h, false).ok);
  const MatrixXd J = small.jacobian();
  MatrixXd KJ(J.rows(), J.cols());
  small.full_linearization().multiply_stiffness_block(J, KJ);
  VectorXd g;
  system.gradient(h, start.q, g);
  const MatrixXd A = J.transpose() * (system.mass().asDiagonal() * J + beta * h * h * KJ);
  const VectorXd v_d = A.llt().solve(J.transpose() * (system.mass().cwiseProduct(start.v) - h * g));
  State state = start;
  CondensationOptions options;
  options.gamma = gamma;
  ASSERT_EQ(testing::prepared(system, condensed(nodes, "si", options, {{"beta", beta}}))->step(state, h).status,
            StepStatus::ok);
  EXPECT_LT((state.v - J * v_d).norm(), 1e-11 * state.v.norm());
  EXPECT_LT((state.q - start.q - h * J * v_d - gamma * small.newton_step()).norm(), 1e-11 * (state.q - start.q).norm());
}

TEST(Condensed, si_costs_one_assembly_and_one_factorization) {
  const NodalSystem system = Bar(1, true).with_gravity().system();
  State state = at_rest(system);
  const auto method = condensed({vertex_at(system, {0.4, 0, 0})});
  method->prepare(system);
  const StepReport report = method->step(state, 0.01);
  EXPECT_EQ(report.factorizations, 2);  // of K_qq, and of three rows
  EXPECT_EQ(report.solves, 3 + 1 + 1);  // J, the Newton step, and the three rows
  EXPECT_EQ(report.projections, 0);
}

/// The stiffer half of a body three times as stiff where the law says how, with slanting fibers in the other half.
NodalSystem mixed_body(const std::string& name) {
  const MaterialEntry& row = find_row(isotropic_laws(), "law", name);
  Given stiff = sample_options(row);
  if (stiff.contains("E")) stiff["E"] = 3 * kYoung;
  Bar bar(1, true);
  std::vector<int> left, right;
  for (int e = 0; e < bar.mesh.tets(); ++e) (bar.mesh.X(bar.mesh.T(e, 0), 0) < 0.2 ? left : right).push_back(e);
  bar.mesh.fiber = Vec3(1, 1, 0.5).normalized().transpose().replicate(bar.mesh.tets(), 1);
  const MaterialEntry& fiber = find_row(fiber_laws(), "law", "fiber-stvk");
  bar.parts.energies[0] = std::make_unique<ElasticEnergy>(
      bar.mesh, std::vector<ElasticPart>{{make_material(row, sample_options(row)), left},
                                         {make_material(row, stiff), right},
                                         {make_material(fiber, sample_options(fiber)), left}});
  return bar.with_gravity({0, -0.3, 0.1}).system();
}

class CondensedRest : public ::testing::TestWithParam<std::string> {};

/// Damped to rest; a static solve of the whole body is the independent answer, and si's own rest shape is the same.
TEST_P(CondensedRest, rest_shape_is_that_of_the_full_body) {
  const NodalSystem system = mixed_body(GetParam());
  State state = at_rest(system);
  const auto method =
      condensed({vertex_at(system, {0.4, 0.1, 0}), vertex_at(system, {0.2, 0, 0.1})}, "si", {}, {{"beta", 4.0}});
  method->prepare(system);
  VectorXd q = state.q;
  const StaticReport solved = solve_static(system, 0, system.rest(), {1e-12, 200}, {}, q);
  ASSERT_EQ(solved.status, StaticStatus::converged);
  double moved = 1;
  for (int i = 0; i < 4000 && moved > 1e-13; ++i) {
    const VectorXd before = state.q;
    ASSERT_EQ(method->step(state, 0.02).status, StepStatus::ok);
    moved = (state.q - before).lpNorm<Eigen::Infinity>();
  }
  EXPECT_GT((q - system.rest()).lpNorm<Eigen::Infinity>(), 1e-4);
  EXPECT_LT((state.q - q).lpNorm<Eigen::Infinity>(), 1e-8 * 0.4);
}

INSTANTIATE_TEST_SUITE_P(Laws, CondensedRest, ::testing::ValuesIn(names_of(isotropic_laws())), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

class CondensedFall : public ::testing::TestWithParam<bool> {};

TEST_P(CondensedFall, is_exact) {
  Bar bar(1, false);
  const NodalSystem system = bar.with_gravity().system();
  State state = at_rest(system);
  const std::vector<int> nodes = missing_anchors(system, {});
  ASSERT_EQ(nodes.size(), 3u);
  CondensationOptions options;
  options.newton = GetParam();
  const auto method = condensed(nodes, "si", options);
  method->prepare(system);
  const double h = 0.01, g = 9.81;
  const int steps = 20;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = method->step(state, h);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_EQ(report.shifts, 0);
  }
  // The frame that the body falls in follows the parabola.
  const VectorXd fallen = state.q - system.rest();
  for (Index i = 0; i < fallen.size(); i += 3) {
    EXPECT_NEAR(fallen[i + 1], -g * h * h * steps * steps / 2, 1e-9);
    EXPECT_NEAR(state.v[i + 1], -g * h * steps, 1e-9);
    EXPECT_NEAR(fallen[i], 0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Newton, CondensedFall, ::testing::Bool());

TEST(Condensed, a_free_body_keeps_its_linear_momentum) {
  const NodalSystem system = Bar(1, false).system();
  State state = bent_body(system);
  const auto linear = [&]() -> Vec3 {
    return system.mass().cwiseProduct(state.v).reshaped(3, system.dofs() / 3).rowwise().sum();
  };
  const Vec3 before = linear();
  const auto method = condensed(missing_anchors(system, {}));
  method->prepare(system);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(method->step(state, 5e-3).status, StepStatus::ok);
  EXPECT_LT((linear() - before).norm(), 1e-9 * before.norm());  // K_qq's condition times round-off, 40 steps
}

/// A thrown bar that spins about an axis of its own and wobbles: 0.5 s, nearly a turn and a half.
TEST(Condensed, a_free_body_keeps_its_spin) {
  const NodalSystem system = Bar(1, false).with_gravity().system();
  MatrixX3d x = system.rest_positions(), u(x.rows(), 3);
  for (Index i = 0; i < x.rows(); ++i)
    u.row(i) = Vec3(1, 15, 2).cross(Vec3(x.row(i).transpose()) - Vec3(0.2, 0.05, 0.05));
  const auto kept = [&](const std::string& inner, bool frames) {
    State state{0, system.free_part(x), system.free_part(u), {}};
    const auto spin = [&]() -> Vec3 {
      MatrixX3d at, moving;
      system.positions(state.t, state.q, at);
      system.velocities(state.t, state.v, moving);
      const VectorXd& mass = system.vertex_mass();
      const Vec3 center = at.transpose() * mass / mass.sum();
      Vec3 L = Vec3::Zero();
      for (Index i = 0; i < at.rows(); ++i)
        L += mass[i] * (Vec3(at.row(i).transpose()) - center).cross(Vec3(moving.row(i).transpose()));
      return L;
    };
    const Vec3 before = spin();
    CondensationOptions options;
    options.stepping.frames = frames;
    std::vector<int> nodes = missing_anchors(system, {});
    nodes.push_back(vertex_at(system, {0.2, 0.1, 0.1}));
    const auto method = condensed(nodes, inner, options);
    method->prepare(system);
    EnergyBudget budget(system, state);
    const double start = budget.total(), in_motion = budget.kinetic();
    for (int i = 0; i < 100; ++i) {
      const StepReport report = method->step(state, 5e-3);
      EXPECT_EQ(report.status, StepStatus::ok) << report.reason;
      budget.book(state, report.dissipated);
    }
    // What the method itself takes from the vibrations that the spin sets off.
    EXPECT_NEAR(budget.total() + budget.dissipated(), start, (frames ? 0.02 : 1) * in_motion) << inner;
    return (spin() - before).norm() / before.norm();
  };
  for (const char* inner : {"si", "im", "be", "siere", "rk4"}) EXPECT_LT(kept(inner, true), 1e-10) << inner;
  EXPECT_GT(kept("si", false), 0.1);
}

TEST(Condensed, without_a_dynamic_node_the_body_is_quasistatic) {
  const NodalSystem system = Bar(1, true).with_gravity().system();
  VectorXd q = system.rest();
  ASSERT_EQ(solve_static(system, 0, system.rest(), {1e-12, 100}, {}, q).status, StaticStatus::converged);
  CondensationOptions newton;
  newton.newton = true;
  State state = at_rest(system);
  const StepReport report = testing::prepared(system, condensed({}, "si", newton))->step(state, 0.01);
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_LT((state.q - q).norm(), 1e-10);
  EXPECT_EQ(state.v.norm(), 0);
  EXPECT_EQ(state.t, 0.01);
  // With gamma alone the way to go shrinks by 1 - gamma a step.
  State slow = at_rest(system);
  const auto method = condensed({});
  method->prepare(system);
  for (int i = 0; i < 80; ++i) ASSERT_EQ(method->step(slow, 0.01).status, StepStatus::ok);
  EXPECT_LT((slow.q - q).norm(), 1e-10);
}

TEST(Condensed, corrections_are_booked) {
  const NodalSystem system = Bar(1, true).with_gravity().system();
  State state = at_rest(system);
  const auto method = condensed({});
  method->prepare(system);
  double energy = system.potentials(0, state.q).total();
  for (int i = 0; i < 5; ++i) {
    const StepReport report = method->step(state, 0.01);
    const double now = system.potentials(0, state.q).total();
    EXPECT_GT(report.dissipated, 0);
    EXPECT_NEAR(energy - now, report.dissipated, 1e-12 * std::fabs(energy));
    energy = now;
  }
}

TEST(Condensed, the_midpoint_rule_keeps_the_energy_of_a_linear_body) {
  Bar bar(1, true);
  bar.parts.energies[0] = std::make_unique<LinearSprings>(bar.mesh, 50.0);
  const NodalSystem system = bar.with_gravity().system();
  State state = bent_body(system);
  const std::vector<int> nodes = {vertex_at(system, {0.4, 0, 0}), vertex_at(system, {0.2, 0.1, 0})};
  NodalLinearization lin(system);
  const std::vector<int> points = {system.point_of(nodes[0]), system.point_of(nodes[1])};
  ASSERT_TRUE(relax(system, lin, 0, points, {}, state.q).converged);
  const auto method = condensed(nodes, "im", {}, {{"tolerance", 1e-13}});
  method->prepare(system);
  const auto energy = [&] {
    return system.potentials(state.t, state.q).total() + 0.5 * state.v.dot(system.mass().cwiseProduct(state.v));
  };
  ASSERT_EQ(method->step(state, 0.02).status, StepStatus::ok);  // takes the velocity to what the nodes can do
  const double start = energy();
  double motion = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(method->step(state, 0.02).status, StepStatus::ok);
    motion = std::max(motion, 0.5 * state.v.dot(system.mass().cwiseProduct(state.v)));
  }
  ASSERT_GT(motion, 1e-3);
  EXPECT_NEAR(energy(), start, 1e-8 * motion);
}

TEST(Condensed, only_bodies_of_vertices) {
  const NodalSystem full = Bar(1, true).system();
  CondensedSystem small(full, {1});
  EXPECT_THROW(testing::prepared(small, condensed({1})), Error);
}

TEST(Anchors, every_free_piece_gets_a_triangle) {
  const NodalSystem free = Bar(1, false).system(), held = Bar(1, true).system();
  EXPECT_TRUE(missing_anchors(held, {}).empty());
  EXPECT_EQ(missing_anchors(free, {}).size(), 3u);
  // Three corners on one edge of the bar are in a line: one more is needed.
  const auto at = [&](double x, double y, double z) { return vertex_at(free, {x, y, z}); };
  EXPECT_EQ(missing_anchors(free, {at(0, 0, 0), at(0.2, 0, 0), at(0.4, 0, 0)}).size(), 1u);
  const std::vector<int> three = {at(0, 0, 0), at(0.4, 0, 0), at(0.2, 0.1, 0)};
  EXPECT_TRUE(missing_anchors(free, three).empty());
  EXPECT_EQ(lasting_anchors(free, three).size(), 3u);
}

}  // namespace
}  // namespace brio

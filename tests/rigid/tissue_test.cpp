// Bones and tissue together: derivatives and solves of the coupled system, momentum and energy of their motion.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/diagnose/momentum.hpp"
#include "brio/system/bone_linearization.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/bones.hpp"
#include "support/limb.hpp"

namespace brio {
namespace {

using testing::Limb;

VectorXd some_vector(Index n, double by) {
  VectorXd v(n);
  for (Index i = 0; i < n; ++i) v[i] = std::sin(by * static_cast<double>(i + 1));
  return v;
}

/// Away from the middle of the chart, too, where half the square of its velocities is no energy.
TEST(Tissue, energy_of_the_chart_changes_by_what_loads_and_damping_do) {
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 0.2);
  BoneChart chart(*limb.system, limb.points);
  const State local = chart.enter(limb.moving(VectorXd::Zero(6)));
  const VectorXd z =
      local.q +
      (VectorXd(chart.dofs()) << 0.002 * some_vector(chart.tissue(), 1.3), 0.2 * some_vector(6, 2)).finished();
  const VectorXd v = local.v + some_vector(chart.dofs(), 0.7);
  State nodal;
  chart.leave({0, z, v, {}}, nodal);
  EXPECT_NEAR(chart.kinetic_energy(z, v), 0.5 * nodal.v.dot(limb.system->mass().cwiseProduct(nodal.v)),
              1e-12 * chart.kinetic_energy(z, v));
  ASSERT_GT(std::fabs(chart.kinetic_energy(z, v) - 0.5 * v.dot(chart.mass().cwiseProduct(v))), 1e-3);

  // The rate of T + V along the motion, by differences, against that of loads and dampers.
  VectorXd load, gradient, damped, working;
  chart.load(0, z, v, load);
  BoneLinearization lin(chart);
  lin.assemble(0, z, Psd::none, gradient);
  lin.multiply_damping(v, damped);
  chart.working_load(0, z, v, working);
  const VectorXd a = (load - gradient - damped).cwiseQuotient(chart.mass());
  const auto energy = [&](double t) {
    const VectorXd at = z + t * v + 0.5 * t * t * a, velocity = v + t * a;
    return chart.kinetic_energy(at, velocity) + chart.potentials(0, at).total();
  };
  const auto difference = [&](double d) { return (energy(d) - energy(-d)) / (2 * d); };
  const double rate = (4 * difference(5e-6) - difference(1e-5)) / 3;  // Richardson: the tissue is stiff
  EXPECT_NEAR(rate, working.dot(v) - v.dot(damped), 1e-6 * chart.kinetic_energy(z, v));
}

TEST(Tissue, gradient_stiffness_and_solve_agree) {
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 0.2);
  BoneChart chart(*limb.system, limb.points);
  const State local = chart.enter(limb.moving(VectorXd::Zero(6)));
  const VectorXd z =
      local.q + 0.002 * (VectorXd(chart.dofs()) << some_vector(chart.tissue(), 1.3), VectorXd::Zero(6)).finished();
  ASSERT_GT(chart.tissue(), 0);
  BoneLinearization lin(chart);
  VectorXd g, up, down, image;
  lin.assemble(0, z, Psd::none, g);
  const VectorXd direction = some_vector(chart.dofs(), 0.7);
  const double d = 1e-5;
  EXPECT_NEAR(
      (chart.potentials(0, z + d * direction).total() - chart.potentials(0, z - d * direction).total()) / (2 * d),
      g.dot(direction), 1e-6 * std::fabs(g.dot(direction)));
  chart.gradient(0, z + d * direction, up);
  chart.gradient(0, z - d * direction, down);
  lin.multiply_stiffness(direction, image);
  EXPECT_LT(((up - down) / (2 * d) - image).norm(), 1e-6 * image.norm());

  const double m = 1, dd = 0.01, k = 1e-4;
  ASSERT_EQ(lin.factor(m, dd, k, 0), FactorStatus::ok);
  VectorXd damped, product = m * chart.mass().cwiseProduct(direction) + k * image;
  lin.multiply_damping(direction, damped);
  product += dd * damped;
  MatrixXd solution = product;
  lin.solve(solution);
  EXPECT_LT((solution.col(0) - direction).norm(), 1e-10 * direction.norm());
}

TEST(Tissue, two_free_bones_and_what_joins_them_keep_momentum_and_energy) {
  const Limb limb(JointKind::free, {0, 0, 0});
  VectorXd u = VectorXd::Zero(12);
  u.head<3>() << -1, 0.3, 0;  // apart, past each other, and spinning
  u.segment<3>(6) << 1, -0.2, 0.1;
  u[5] = 2;
  const State start = limb.moving(u);
  const Momentum before = limb.momentum_of(start);
  State state = start;
  BoneIntegrator integrator(limb.points, testing::tight_integrator("im"));
  integrator.prepare(*limb.system);
  EnergyBudget budget(*limb.system, state);
  const double total = budget.total();
  double stretched = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport report = integrator.step(state, 1e-3);
    ASSERT_EQ(report.status, StepStatus::ok) << report.reason;
    budget.book(state, report.dissipated);
    stretched = std::max(stretched, budget.potentials().elastic);
  }
  ASSERT_GT(stretched, 0.1 * total);  // the tissue did pull
  const Momentum after = limb.momentum_of(state);
  const double scale = limb.skeleton->mass() * 1.0;  // [kg m/s]: the bones' at 1 m/s
  EXPECT_LT((after.linear - before.linear).norm(), 1e-6 * scale);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-3 * before.angular.norm());
  EXPECT_NEAR(budget.total(), total, 5e-3 * total);
}

TEST(Tissue, rk4_and_im_agree_on_a_swinging_limb) {
  // Two bones that hang from ball joints, joined by tissue: independent methods, one with the coupled solve and one
  // without any.
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 0.05);
  const auto run = [&](const std::string& method, double h) {
    State state = limb.moving((VectorXd(6) << 0.5, 0, 2, 0, 0.3, 1).finished());
    BoneIntegrator integrator(limb.points, testing::tight_integrator(method));
    integrator.prepare(*limb.system);
    for (int i = 0; i < std::lround(0.1 / h); ++i) EXPECT_EQ(integrator.step(state, h).status, StepStatus::ok);
    return state.q;
  };
  const VectorXd reference = run("rk4", 1e-4);
  const double moved = (reference - limb.system->rest()).norm();
  const double coarse = (run("im", 2e-3) - reference).norm(), fine = (run("im", 1e-3) - reference).norm();
  EXPECT_LT(fine, 0.01 * moved);
  EXPECT_GT(coarse / fine, 3);  // second order would be 4
  const double si = (run("si", 1e-3) - reference).norm();
  EXPECT_LT(si, 0.2 * moved);
}

}  // namespace
}  // namespace brio

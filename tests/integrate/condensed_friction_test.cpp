// Friction on a condensed body: [CONJAC] section 4, BUNNY. What Coulomb's law takes from single vertices becomes the
// nearest motion that the dynamic nodes can make.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/integrate/methods/condensed.hpp"
#include "brio/integrate/parts/velocity_operator.hpp"
#include "brio/system/anchors.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::Bar;
using testing::integrator;

constexpr double kBlockGravity = 9.81, kBlockRoughness = 0.3, kBlockSpeed = 0.5, kBlockStep = 1e-3;

NodalSystem floor_block(double roughness, double tangential = 0) {
  Bar bar(1, false, testing::law("corotated", {{"E", 1e6}, {"nu", 0.3}}));
  bar.with_gravity({0, -kBlockGravity, 0});
  std::vector<int> bottom;
  for (int i = 0; i < bar.mesh.vertices(); ++i)
    if (bar.mesh.X(i, 1) < 1e-9) bottom.push_back(i);
  const ObstacleEntry& row = find_row(obstacle_shapes(), "obstacle", "half-space");
  const VectorXd area = VectorXd::Constant(static_cast<Index>(bottom.size()), 0.004);
  bar.parts.energies.push_back(std::make_unique<ContactEnergy>(
      bottom, area, 1e7, row.make(Options(row.options, {{"normal", Vec3(0, 1, 0)}}, "floor"), "floor"), stand_still(),
      roughness, tangential));
  return bar.system();
}

/// Settled on the floor, then pushed.
State settled_and_pushed(const NodalSystem& system) {
  const NodalSystem smooth = floor_block(0);
  State state = testing::at_rest(system);
  const auto be = integrator("be", {{"tolerance", 1e-10}});
  be->prepare(smooth);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(be->step(state, 0.01).status, StepStatus::ok);
  state.t = 0;
  for (Index i = 0; i < state.v.size() / 3; ++i) state.v.segment<3>(3 * i) = Vec3(kBlockSpeed, 0, 0);
  return state;
}

/// With friction after the step, where the method has none in it.
std::unique_ptr<Integrator> rubbed(std::unique_ptr<Integrator> method) {
  if (method->meets_obstacles()) return method;
  std::vector<std::unique_ptr<VelocityOperator>> operators;
  operators.push_back(friction());
  return with_operators(std::move(method), std::move(operators));
}

std::unique_ptr<Integrator> condensed_block(std::vector<int> nodes) {
  return std::make_unique<CondensedIntegrator>([] { return integrator("si"); }, CondensationOptions{},
                                               DynamicNodes{std::move(nodes), {}});
}

double mass_mean_x(const NodalSystem& system, const VectorXd& field) {
  double sum = 0;
  for (Index i = 0; i < field.size() / 3; ++i) sum += system.mass()[3 * i] * field[3 * i];
  return 3 * sum / system.mass().sum();
}

struct BlockSlide {
  double way, speed, gap;  ///< [m], [m/s], of the books over the energy of the slide
};

BlockSlide slide_block(const NodalSystem& system, std::unique_ptr<Integrator> inner) {
  State state = settled_and_pushed(system);
  const double from = mass_mean_x(system, state.q);
  EnergyBudget budget(system, state);
  const double start = budget.total(), in_motion = budget.kinetic();
  const auto method = rubbed(std::move(inner));
  method->prepare(system);
  double gap = 0;
  for (int i = 0; i < 300; ++i) {
    const StepReport report = method->step(state, kBlockStep);
    EXPECT_EQ(report.status, StepStatus::ok) << report.reason;
    budget.book(state, report.dissipated);
    gap = std::max(gap, std::fabs(budget.total() + budget.dissipated() - budget.injected() - start) / in_motion);
  }
  return {mass_mean_x(system, state.q) - from, mass_mean_x(system, state.v), gap};
}

TEST(CondensedFriction, stops_where_the_whole_block_stops) {
  const NodalSystem system = floor_block(kBlockRoughness);
  const BlockSlide whole = slide_block(system, integrator("si"));
  const BlockSlide all = slide_block(system, condensed_block(testing::first_integers(system.vertices())));
  const BlockSlide few = slide_block(system, condensed_block(missing_anchors(system, {})));
  const double coulomb = kBlockSpeed * kBlockSpeed / (2 * kBlockRoughness * kBlockGravity);
  // The speed falls in steps of mu g h; and the block rocks on its corners when it stops.
  EXPECT_NEAR(whole.way, coulomb, 0.01 * coulomb);
  // All nodes move as si does, but with friction after the step.
  EXPECT_NEAR(all.way, coulomb, 0.01 * coulomb);
  // Sliding is a motion of the three nodes, so that the projection keeps its momentum; but the nodes carry the rest of
  // the block coarsely, and the floor carries 1 % less than its weight. With ten nodes it is 0.1 %.
  EXPECT_NEAR(few.way, all.way, 0.015 * coulomb);
  const BlockSlide ten = slide_block(system, condensed_block({0, 3, 5, 7, 9, 11, 12, 15, 18, 19}));
  EXPECT_NEAR(ten.way, all.way, 0.003 * coulomb);
  EXPECT_LT(std::fabs(few.speed), 1e-3 * kBlockSpeed);
  // What si itself loses of the shaking that the grip sets off is all that the books miss.
  EXPECT_LT(whole.gap, 0.01);
  EXPECT_LT(few.gap, 0.01);
}

TEST(CondensedFriction, none_keeps_the_speed) {
  const NodalSystem system = floor_block(0);
  const BlockSlide free = slide_block(system, condensed_block(missing_anchors(system, {})));
  EXPECT_NEAR(free.speed, kBlockSpeed, 1e-9);
  EXPECT_NEAR(free.way, 300 * kBlockStep * kBlockSpeed, 1e-9);
}

TEST(CondensedFriction, velocities_after_it_are_ones_that_the_nodes_can_have) {
  const NodalSystem system = floor_block(kBlockRoughness);
  State state = settled_and_pushed(system);
  std::vector<int> points;
  for (int v : missing_anchors(system, {})) points.push_back(system.point_of(v));
  CondensedSystem small(system, points);
  ASSERT_TRUE(small.rebase(kBlockStep, state.q, state.v, kBlockStep, false).ok);
  const auto method = rubbed(condensed_block(missing_anchors(system, {})));
  method->prepare(system);
  ASSERT_EQ(method->step(state, kBlockStep).status, StepStatus::ok);
  VectorXd xi, nearest;
  small.project(state.v, xi);
  small.lift(xi, nearest);
  EXPECT_LT(mass_mean_x(system, state.v), kBlockSpeed - 0.5 * kBlockRoughness * kBlockGravity * kBlockStep);
  EXPECT_LT((state.v - nearest).norm(), 1e-11 * state.v.norm());
}

/// McAdams' tangential share stands for a spring to where a vertex touched: si is slowed by 1 / (1 + h^2 alpha k / m) a
/// step, here on a single vertex, where that is exact.
TEST(Contact, tangential_share_slows_a_slide_as_its_stiffness_says) {
  const double m = 2, k = 1e5, alpha = 0.1, h = 1e-3;
  NodalParts parts;
  parts.x0 = Eigen::RowVector3d(0, -m * kBlockGravity / k, 0);
  parts.vertex_mass = VectorXd::Constant(1, m);
  parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(0, -kBlockGravity, 0)));
  const ObstacleEntry& row = find_row(obstacle_shapes(), "obstacle", "half-space");
  parts.energies.push_back(std::make_unique<ContactEnergy>(
      std::vector<int>{0}, VectorXd::Constant(1, 1.0), k,
      row.make(Options(row.options, {{"normal", Vec3(0, 1, 0)}}, "floor"), "floor"), stand_still(), 0, alpha));
  const NodalSystem system(std::move(parts));
  State state{0, system.rest(), Vec3(1, 0, 0), {}};
  ASSERT_EQ(testing::prepared(system, integrator("si"))->step(state, h).status, StepStatus::ok);
  EXPECT_NEAR(state.v[0], 1 / (1 + h * h * alpha * k / m), 1e-12);
  EXPECT_NEAR(state.v[1], 0, 1e-12);
}

}  // namespace
}  // namespace brio

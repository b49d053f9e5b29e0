// Damping of deformation and friction: what they keep, what they take, and that they book it.

#include "brio/integrate/parts/velocity_operator.hpp"

#include "brio/diagnose/energy_budget.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/free_bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::Bar;
using testing::integrator;
using testing::kinetic;

struct Moments {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

Moments moments(const System& system, const State& state) {
  Moments sum;
  for (Index i = 0; i < state.q.size() / 3; ++i) {
    const Vec3 p = system.mass()[3 * i] * state.v.segment<3>(3 * i);
    sum.linear += p;
    sum.angular += Vec3(state.q.segment<3>(3 * i)).cross(p);
  }
  return sum;
}

/// Everywhere off its rest position, with a velocity of its own at each vertex.
State shaken_state(const NodalSystem& system) {
  const MatrixX3d zero = MatrixX3d::Zero(system.vertices(), 3);
  return {0,
          system.free_part(testing::shaken(system.rest_positions(), 0.01)),
          system.free_part(testing::shaken(zero, 2, 7)),
          {}};
}

/// `count` vertices in a row along x, without any forces.
NodalSystem loose_points(int count) {
  NodalParts parts;
  parts.x0 = MatrixX3d::Zero(count, 3);
  for (int i = 0; i < count; ++i) parts.x0(i, 0) = i;
  parts.vertex_mass = VectorXd::LinSpaced(count, 1, count);
  return NodalSystem(std::move(parts));
}

TEST(DeformationDamping, keeps_both_momenta_and_takes_what_it_says) {
  Bar bar(2, false);
  const NodalSystem system = bar.system();
  for (double rate : {0.5, 30.0, 1e4}) {
    State state = shaken_state(system);
    const Moments before = moments(system, state);
    const double energy = kinetic(system, state);
    const double taken = testing::prepared(system, deformation_damping(rate))->apply(state, 0.01);
    const Moments after = moments(system, state);
    // Sums of 135 products, rounded.
    EXPECT_LT((after.linear - before.linear).norm(), 1e-14 * std::sqrt(energy * system.vertex_mass().sum()));
    EXPECT_LT((after.angular - before.angular).norm(), 1e-14 * std::sqrt(energy * system.vertex_mass().sum()));
    EXPECT_GT(taken, 0);
    EXPECT_NEAR(taken, energy - kinetic(system, state), 1e-14 * energy);
  }
}

TEST(DeformationDamping, takes_the_deformation_s_energy_by_the_closed_form) {
  Bar bar(1, false);
  const NodalSystem system = bar.system();
  State rigid = shaken_state(system), state = rigid;
  testing::prepared(system, deformation_damping(1e9))->apply(rigid, 1);  // nothing but the rigid motion is left
  const double deforming = kinetic(system, state) - kinetic(system, rigid);
  // The two parts are orthogonal, and the deforming one shrinks by exp(-rate h), whatever steps that takes.
  const double whole = testing::prepared(system, deformation_damping(3))->apply(state, 0.2);
  EXPECT_NEAR(whole, deforming * (1 - std::exp(-1.2)), 1e-13 * deforming);
  State halves = shaken_state(system);
  for (int i = 0; i < 2; ++i) testing::prepared(system, deformation_damping(3))->apply(halves, 0.1);
  EXPECT_LT((halves.v - state.v).norm(), 1e-13 * state.v.norm());
}

TEST(DeformationDamping, leaves_rigid_motion_alone_and_stands_points_and_lines) {
  for (int count : {1, 2}) {
    const NodalSystem system = loose_points(count);
    State state{0, system.rest(), VectorXd::Constant(system.dofs(), 2.0), {}};
    EXPECT_EQ(testing::prepared(system, deformation_damping(1))->apply(state, 1), 0) << count;
  }
  Bar bar(1, false);
  const NodalSystem system = bar.system();
  State state = shaken_state(system);
  for (Index i = 0; i < state.q.size() / 3; ++i)
    state.v.segment<3>(3 * i) = Vec3(1, 2, 3) + Vec3(4, -5, 6).cross(Vec3(state.q.segment<3>(3 * i)));
  const VectorXd before = state.v;
  testing::prepared(system, deformation_damping(1e9))->apply(state, 1);
  EXPECT_LT((state.v - before).norm(), 1e-13 * before.norm());
}

TEST(DeformationDamping, keeps_the_swing_of_a_held_body) {
  Bar bar(1, true);
  const NodalSystem system = bar.system();
  ASSERT_TRUE(system.free_pieces().empty());
  State state = testing::at_rest(system);
  for (Index i = 0; i < state.q.size() / 3; ++i)
    state.v.segment<3>(3 * i) = Vec3(0, 0, 2).cross(Vec3(state.q.segment<3>(3 * i)));
  const double energy = kinetic(system, state);
  EXPECT_LT(std::fabs(testing::prepared(system, deformation_damping(50))->apply(state, 0.1)), 1e-13 * energy);
  state = shaken_state(system);
  EXPECT_GT(testing::prepared(system, deformation_damping(50))->apply(state, 0.1), 0.5 * kinetic(system, state));
}

constexpr double kGravity = 9.81, kRoughness = 0.3;

std::shared_ptr<const ObstacleShape> floor_below() {
  const ObstacleEntry& row = find_row(obstacle_shapes(), "obstacle", "half-space");
  return row.make(Options(row.options, {}, "floor"), "floor");
}

/// 2 kg that lie on a floor, as deep in it as their weight presses them.
NodalSystem particle_on_floor(double friction, std::shared_ptr<const Motion> motion = stand_still()) {
  constexpr double kStiffness = 1e5;  // [N/m]
  NodalParts parts;
  parts.x0.resize(1, 3);
  parts.x0 << 0, -2 * kGravity / kStiffness, 0;
  parts.vertex_mass = VectorXd::Constant(1, 2.0);
  parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(0, -kGravity, 0)));
  parts.energies.push_back(std::make_unique<ContactEnergy>(std::vector<int>{0}, VectorXd::Constant(1, 1.0), kStiffness,
                                                           floor_below(), std::move(motion), friction));
  return NodalSystem(std::move(parts));
}

TEST(Friction, none_keeps_the_speed) {
  const NodalSystem system = particle_on_floor(0);
  State state{0, system.rest(), Vec3(3, 0, 0), {}};
  const auto method = integrator("stabilized");
  method->prepare(system);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(method->step(state, 0.01).status, StepStatus::ok);
  EXPECT_NEAR(state.v[0], 3, 1e-12);
  EXPECT_NEAR(state.q[0], 9, 1e-10);
}

class FrictionWithEvery : public ::testing::TestWithParam<std::string> {};

TEST_P(FrictionWithEvery, stops_a_slide_where_coulomb_says_and_the_books_close) {
  const double h = 0.001, v = 3;
  const NodalSystem system = particle_on_floor(kRoughness);
  State state{0, system.rest(), Vec3(v, 0, 0), {}};
  EnergyBudget budget(system, state);
  const double start = budget.total();
  const auto method = integrator(GetParam());
  method->prepare(system);
  for (int i = 0; i < 1200; ++i) {
    const StepReport report = method->step(state, h);
    ASSERT_EQ(report.status, StepStatus::ok);
    budget.book(state, report.dissipated);
  }
  // What is left is the swing of the spring that holds it, as stiff as the floor, from where it stopped to slide.
  const double pull = kRoughness * kGravity, swing = pull * std::sqrt(2 / 1e5);
  EXPECT_LT(std::fabs(state.v[0]), swing);
  // The speed falls in steps of mu g h: the sum is off the integral by half a step at the first speed, or less, and by
  // the stretch of the spring.
  EXPECT_NEAR(state.q[0], v * v / (2 * pull), 0.51 * h * v + swing * swing / pull);
  // A method that damps takes m/2 (mu g h)^2 in each step of the slide besides.
  const double damped = 1.1 * 0.5 * 2 * pull * h * v;
  EXPECT_NEAR(budget.total(), start + budget.injected() - budget.dissipated(), damped);
  EXPECT_NEAR(budget.dissipated(), v * v, damped);  // m v^2 / 2 of 2 kg
}

INSTANTIATE_TEST_SUITE_P(All, FrictionWithEvery, ::testing::ValuesIn(names_of(integrators())),
                         [](const auto& info) { return info.param; });

TEST(Friction, a_conveyor_takes_along_what_lies_on_it) {
  const MotionEntry& row = find_row(motions(), "motion", "translate");
  const NodalSystem system =
      particle_on_floor(kRoughness, row.make(Options(row.options, {{"velocity", Vec3(0.5, 0, 0)}}, "belt"), "belt"));
  State state{0, system.rest(), Vec3::Zero(), {}};
  const auto method = integrator("si");
  method->prepare(system);
  for (int i = 0; i < 1500; ++i) ASSERT_EQ(method->step(state, 0.001).status, StepStatus::ok);
  // It slides for 0.5 / (mu g) = 0.17 s; then the spring that holds it swings, which the step damps by 2.5 %.
  EXPECT_NEAR(state.v[0], 0.5, 1e-9);
}

/// An elastic block that lies on a rough floor in equilibrium, solved by damping it down first, then slides.
TEST(Friction, stops_an_elastic_block_and_the_books_close) {
  const auto block = [](double roughness) {
    Bar bar(1, false, testing::law("corotated", {{"E", 1e6}, {"nu", 0.3}}));
    bar.with_gravity({0, -kGravity, 0});
    std::vector<int> bottom;
    for (int i = 0; i < bar.mesh.vertices(); ++i)
      if (bar.mesh.X(i, 1) < 1e-9) bottom.push_back(i);
    const VectorXd area = VectorXd::Constant(static_cast<Index>(bottom.size()), 0.004);
    bar.parts.energies.push_back(
        std::make_unique<ContactEnergy>(bottom, area, 1e7, floor_below(), stand_still(), roughness));
    return bar;
  };
  State state;
  {
    Bar bar = block(0);
    const NodalSystem system = bar.system();
    state = testing::at_rest(system);
    const auto be = integrator("be", {{"tolerance", 1e-10}});
    be->prepare(system);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(be->step(state, 0.01).status, StepStatus::ok);
  }
  Bar bar = block(kRoughness);
  const NodalSystem system = bar.system();
  const double v = 1, h = 2e-5;
  state.t = 0;
  for (Index i = 0; i < state.v.size() / 3; ++i) state.v.segment<3>(3 * i) = Vec3(v, 0, 0);
  const double x0 = state.q[0];
  EnergyBudget budget(system, state);
  const double start = budget.total();
  const auto method = integrator("rk4");
  method->prepare(system);
  double largest = 0;
  for (int i = 0; i < 4000; ++i) {
    const StepReport report = method->step(state, h);
    ASSERT_EQ(report.status, StepStatus::ok);
    budget.book(state, report.dissipated);
    largest = std::max(largest, std::fabs(budget.total() + budget.dissipated() - start));
  }
  // 80 ms of sliding: rk4 loses nothing that matters at this step, so that what is missing is what friction took, and
  // what the end's force of the floor takes from the block's vibrations, which is of first order in the step.
  EXPECT_GT(budget.dissipated(), 0.3 * 0.5 * system.mass().sum() / 3 * v * v);
  EXPECT_LT(largest, 1e-5 * budget.dissipated());
  const Vec3 p = moments(system, state).linear;
  EXPECT_NEAR(p[0] / (system.mass().sum() / 3), v - kRoughness * kGravity * 4000 * h, 0.02 * v);
  EXPECT_GT(state.q[0], x0);
}

}  // namespace
}  // namespace brio

// Bones in motion against closed forms and independent integrations.

#include "brio/core/error.hpp"
#include "brio/diagnose/energy_budget.hpp"
#include "brio/diagnose/momentum.hpp"
#include "brio/system/joint_torque.hpp"

#include <gtest/gtest.h>

#include "support/bones.hpp"
#include <cmath>
#include <numbers>

namespace brio {
namespace {

using std::numbers::pi;
using testing::BoneWorld;
using testing::box_mass;
using testing::joint_of;

constexpr double g = 9.81;

/// A bar of 1 m that hangs down from the origin and swings about z.
Bone hanging_bar(const std::string& name = "bar", const std::string& parent = "", double top = 0) {
  return {name, parent, joint_of(JointKind::revolute, {0, top, 0}), box_mass({0.1, 1, 0.06}, {0, top - 0.5, 0})};
}

struct Pendulum {
  double inertia, torque;  ///< about the pivot [kg m^2]; weight times arm [N m]
  double omega() const { return std::sqrt(torque / inertia); }
};

Pendulum pendulum() {
  const MassProperties body = hanging_bar().body;
  return {body.inertia(2, 2) + body.mass * 0.25, body.mass * g * 0.5};
}

/// The time of the n-th crossing of angle 0, by linear interpolation, halved steps making that exact to h^2.
double time_of_crossing(const BoneWorld& world, State state, const std::string& method, double h, int n) {
  BoneIntegrator integrator = world.integrator(method);
  integrator.prepare(*world.system);
  double before = world.configuration(state)[0];
  for (int step = 0; step < 1000000; ++step) {
    EXPECT_EQ(integrator.step(state, h).status, StepStatus::ok);
    const double now = world.configuration(state)[0];
    if (before * now < 0 && --n == 0) return state.t - h * now / (now - before);
    before = now;
  }
  return NAN;
}

TEST(Bones, small_swings_have_the_period_of_the_closed_form) {
  const BoneWorld world({hanging_bar()});
  const double period = 2 * pi / pendulum().omega(), angle = 1e-3;
  const State start = world.state(VectorXd::Constant(1, angle), VectorXd::Zero(1));
  // A quarter of a period to the first crossing, then half a period each. The angle lengthens it by angle^2 / 16.
  EXPECT_NEAR(time_of_crossing(world, start, "rk4", period / 400, 3) / (1.25 * period), 1, 1e-6);
}

TEST(Bones, large_swings_have_the_period_of_the_elliptic_integral) {
  const BoneWorld world({hanging_bar()});
  const double angle = 2.5;
  const double period = 4 * std::comp_ellint_1(std::sin(angle / 2)) / pendulum().omega();
  const State start = world.state(VectorXd::Constant(1, angle), VectorXd::Zero(1));
  // rk4's own error is below 1e-9 here; the interpolation has a curvature error of h^3.
  EXPECT_NEAR(time_of_crossing(world, start, "rk4", period / 2000, 3) / (1.25 * period), 1, 1e-7);
}

/// Angle of the pendulum at 1 s for each number of steps.
double angle_after(const BoneWorld& world, const std::string& method, int steps) {
  State state = world.state(VectorXd::Constant(1, 1.2), VectorXd::Constant(1, 0.5));
  BoneIntegrator integrator = world.integrator(method);
  integrator.prepare(*world.system);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(integrator.step(state, 1.0 / steps).status, StepStatus::ok);
  return world.configuration(state)[0];
}

TEST(Bones, every_integrator_converges_with_its_order) {
  const BoneWorld world({hanging_bar()});
  const double exact = angle_after(world, "rk4", 4000);
  const std::map<std::string, double> order = {{"fe", 1},      {"se", 1},     {"si", 1},  {"be", 1},
                                               {"siere", 1},   {"ksiere", 1}, {"rk4", 4}, {"im", 2},
                                               {"newmark", 2}, {"ere", 2},    {"lim", 1}, {"glim", 1}};
  for (const IntegratorEntry& row : integrators()) {
    if (!row.restartable) continue;
    ASSERT_TRUE(order.contains(row.name)) << row.name << ": say which order it has, or that it cannot step bones";
    const int n = row.name == "rk4" ? 80 : 160;
    const double coarse = std::fabs(angle_after(world, row.name, n) - exact);
    const double fine = std::fabs(angle_after(world, row.name, 2 * n) - exact);
    EXPECT_GT(std::log2(coarse / fine), order.at(row.name) - 0.25) << row.name << " " << coarse << " " << fine;
  }
}

TEST(Bones, double_pendulum_keeps_its_energy) {
  const BoneWorld world({hanging_bar(), hanging_bar("lower", "bar", -1)});
  const State start = world.state(Eigen::Vector2d(2.0, 0.7), VectorXd::Zero(2));
  const double lowest = -world.skeleton->bone(0).body.mass * g * (0.5 + 1.5);
  const double scale = world.energy(start) - lowest;
  const auto drift = [&](const std::string& method, double h) {
    State state = start;
    BoneIntegrator integrator = world.integrator(method);
    integrator.prepare(*world.system);
    for (int i = 0; i < std::lround(3 / h); ++i) EXPECT_EQ(integrator.step(state, h).status, StepStatus::ok);
    return (world.energy(state) - world.energy(start)) / scale;
  };
  EXPECT_LT(std::fabs(drift("rk4", 1e-3)), 1e-8);
  EXPECT_LT(std::fabs(drift("im", 2e-3)), 1e-3);
  const double be = drift("be", 2e-3);
  EXPECT_LT(be, -1e-3);  // it damps
  EXPECT_GT(be, -0.5);
}

TEST(Bones, double_pendulum_follows_the_textbook_equations) {
  // Two uniform bars in the plane: inertia J about their centers, length 1, mass m; angles from the vertical.
  const BoneWorld world({hanging_bar(), hanging_bar("lower", "bar", -1)});
  const MassProperties body = world.skeleton->bone(0).body;
  const double m = body.mass, J = body.inertia(2, 2);
  using Vec4 = Eigen::Vector4d;  // a, b, a', b'
  const auto slope = [&](const Vec4& s) {
    const double c = m / 2 * std::cos(s[0] - s[1]), d = m / 2 * std::sin(s[0] - s[1]);
    Eigen::Matrix2d M;
    M << J + m / 4 + m, c, c, J + m / 4;
    const Eigen::Vector2d f(-d * s[3] * s[3] - 1.5 * m * g * std::sin(s[0]),
                            d * s[2] * s[2] - 0.5 * m * g * std::sin(s[1]));
    const Eigen::Vector2d a = M.inverse() * f;
    return Vec4(s[2], s[3], a[0], a[1]);
  };
  State state = world.state(Eigen::Vector2d(1.0, 0.7), Eigen::Vector2d(0.3, -2));
  Vec4 s(1.0, 1.7, 0.3, -1.7);  // the second angle is from the vertical here, from the first bar there
  BoneIntegrator integrator = world.integrator("rk4");
  integrator.prepare(*world.system);
  const double h = 1e-3;
  for (int i = 0; i < 1500; ++i) {
    integrator.step(state, h);
    const Vec4 k1 = slope(s), k2 = slope(s + h / 2 * k1), k3 = slope(s + h / 2 * k2), k4 = slope(s + h * k3);
    s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const VectorXd q = world.configuration(state);
  EXPECT_NEAR(std::remainder(q[0] - s[0], 2 * pi), 0, 1e-8);
  EXPECT_NEAR(std::remainder(q[0] + q[1] - s[1], 2 * pi), 0, 1e-8);
}

Bone free_box() {
  return {"racket", "", joint_of(JointKind::free, {0.3, 0, 0}), box_mass({0.3, 0.1, 0.6}, {0.3, 0, 0})};
}

TEST(Bones, tennis_racket_flips_as_eulers_equations_say) {
  const BoneWorld world({free_box()}, {0, 0, 0});
  const Vec3 moments = world.skeleton->bone(0).body.inertia.diagonal();
  VectorXd u(6);
  u << 0.2, -0.1, 0.3, 5, 0.01, 0;  // moments: x is the middle one (0.6^2 + 0.1^2), so this flips
  ASSERT_TRUE((moments[0] - moments[1]) * (moments[0] - moments[2]) < 0) << moments.transpose();
  State state = world.state(world.skeleton->rest(), u);
  BoneIntegrator integrator = world.integrator("rk4");
  integrator.prepare(*world.system);
  Vec3 w(5, 0.01, 0);  // in the body's axes
  const auto slope = [&](const Vec3& s) {
    return Vec3(-(s.cross(Vec3(moments.cwiseProduct(s)))).cwiseQuotient(moments));
  };
  const double h = 2e-3;
  double least = 5;
  for (int i = 0; i < 2500; ++i) {
    ASSERT_EQ(integrator.step(state, h).status, StepStatus::ok);
    const Vec3 k1 = slope(w), k2 = slope(w + h / 2 * k1), k3 = slope(w + h / 2 * k2), k4 = slope(w + h * k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    least = std::min(least, w[0]);
    if (i % 100 != 0) continue;
    const Mat3 R = world.skeleton->pose(world.configuration(state)).R[0];
    EXPECT_LT((R.transpose() * world.velocity(state).tail<3>() - w).norm(), 1e-6) << state.t;
  }
  EXPECT_LT(least, -4.9);  // it did flip
}

TEST(Bones, free_body_keeps_its_momentum) {
  const BoneWorld world({free_box()}, {0, 0, 0});
  VectorXd u(6);
  u << 0.2, -0.1, 0.3, 5, 1, -2;
  const auto momentum_of = [&](const State& s) {
    MatrixX3d x, v;
    world.system->positions(0, s.q, x);
    world.system->velocities(0, s.v, v);
    return momentum(world.system->vertex_mass(), x, v);
  };
  const State start = world.state(world.skeleton->rest(), u);
  const Momentum before = momentum_of(start);
  const MassProperties body = world.skeleton->bone(0).body;
  const Vec3 linear = body.mass * u.head<3>();
  EXPECT_LT((before.linear - linear).norm(), 1e-12 * linear.norm());
  const Vec3 angular = body.inertia * u.tail<3>() + body.center.cross(linear);
  EXPECT_LT((before.angular - angular).norm(), 1e-12 * angular.norm());
  for (const auto& [method, h, share] : {std::tuple{"rk4", 1e-3, 1e-9}, {"im", 1e-3, 1e-4}, {"si", 1e-3, 2e-2}}) {
    State state = start;
    BoneIntegrator integrator = world.integrator(method);
    integrator.prepare(*world.system);
    for (int i = 0; i < 2000; ++i) integrator.step(state, h);
    const Momentum after = momentum_of(state);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm()) << method;
    EXPECT_LT((after.angular - before.angular).norm(), share * before.angular.norm()) << method;
  }
}

TEST(Bones, spherical_pendulum_keeps_its_vertical_angular_momentum) {
  const BoneWorld world(
      {{"bar", "", joint_of(JointKind::spherical, {0, 0, 0}), box_mass({0.1, 1, 0.06}, {0, -0.5, 0})}});
  VectorXd q = world.skeleton->rest();
  world.skeleton->advance(q, Vec3(1.1, 0, 0.2));
  State state = world.state(q, Vec3(0.3, 2.5, -1));
  const auto vertical = [&](const State& s) {
    const SkeletonPose pose = world.skeleton->pose(world.configuration(s));
    return (world.skeleton->mass_matrix(pose) * world.velocity(s))[1];
  };
  const double before = vertical(state), energy = world.energy(state);
  BoneIntegrator integrator = world.integrator("rk4");
  integrator.prepare(*world.system);
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(integrator.step(state, 1e-3).status, StepStatus::ok);
  ASSERT_GT(std::fabs(before), 0.1);
  EXPECT_NEAR(vertical(state) / before, 1, 1e-8);
  EXPECT_NEAR(world.energy(state) / energy, 1, 1e-8);
}

TEST(Bones, prismatic_joint_falls_freely_along_its_axis) {
  const Vec3 axis = Vec3(0, 1, 1).normalized();
  const BoneWorld world(
      {{"sled", "", joint_of(JointKind::prismatic, {0, 0, 0}, axis), box_mass({0.1, 0.2, 0.3}, {0.5, 0, 0})}});
  State state = world.state(VectorXd::Zero(1), VectorXd::Constant(1, 2));
  BoneIntegrator integrator = world.integrator("im");
  integrator.prepare(*world.system);
  for (int i = 0; i < 100; ++i) integrator.step(state, 0.01);
  EXPECT_NEAR(world.configuration(state)[0], 2 - g * axis[1] / 2, 1e-10);  // a parabola is exact for midpoint
  EXPECT_NEAR(world.velocity(state)[0], 2 - g * axis[1], 1e-10);
}

TEST(Bones, limits_stop_a_joint_and_the_books_close) {
  Bone bar = hanging_bar();
  bar.joint.lower = -0.5, bar.joint.upper = 0.8;
  bar.joint.limit_damping = 20;
  const BoneWorld world({bar});
  State state = world.state(VectorXd::Constant(1, 0.7), VectorXd::Constant(1, 4));
  BoneIntegrator integrator = world.integrator("im");
  integrator.prepare(*world.system);
  EnergyBudget budget(*world.system, state);
  const double start = budget.total();
  double most = 0, least = 0;
  for (int i = 0; i < 4000; ++i) {
    const StepReport report = integrator.step(state, 5e-4);
    ASSERT_EQ(report.status, StepStatus::ok);
    budget.book(state, report.dissipated);
    most = std::max(most, world.configuration(state)[0]);
    least = std::min(least, world.configuration(state)[0]);
  }
  EXPECT_GT(most, 0.8);
  EXPECT_LT(most, 0.8 + 0.15);
  EXPECT_LT(least, -0.5);
  EXPECT_GT(least, -0.5 - 0.15);
  EXPECT_GT(budget.dissipated(), 0.1 * std::fabs(start));
  EXPECT_NEAR(budget.total() + budget.dissipated(), start, 0.01 * budget.dissipated());
}

TEST(Bones, damped_joint_loses_speed_exponentially) {
  Bone wheel{"wheel", "", joint_of(JointKind::revolute, {0, 0, 0}), box_mass({0.4, 0.4, 0.1}, {0, 0, 0})};
  wheel.joint.damping = 0.3;
  const BoneWorld world({wheel}, {0, 0, 0});
  State state = world.state(VectorXd::Zero(1), VectorXd::Constant(1, 3));
  BoneIntegrator integrator = world.integrator("rk4");
  integrator.prepare(*world.system);
  for (int i = 0; i < 100; ++i) integrator.step(state, 0.01);
  EXPECT_NEAR(world.velocity(state)[0], 3 * std::exp(-0.3 / wheel.body.inertia(2, 2)), 1e-9);
}

TEST(Bones, torque_turns_a_wheel_and_its_work_is_booked) {
  const Bone wheel{"wheel", "", joint_of(JointKind::revolute, {0, 0, 0}), box_mass({0.4, 0.4, 0.1}, {0, 0, 0})};
  const BoneWorld world({wheel}, {0, 0, 0}, [](std::shared_ptr<const BonePoints> points) {
    std::vector<std::unique_ptr<Load>> loads;
    loads.push_back(
        std::make_unique<JointTorque>(points, 0, VectorXd::Ones(1), TimeProfile({{0, 0}, {1, 2}}, "torque")));
    return loads;
  });
  State state = world.state(VectorXd::Zero(1), VectorXd::Zero(1));
  BoneIntegrator integrator = world.integrator("rk4");
  integrator.prepare(*world.system);
  EnergyBudget budget(*world.system, state);
  for (int i = 0; i < 200; ++i) {
    integrator.step(state, 0.005);
    budget.book(state, 0);
  }
  const double rate = 1 / wheel.body.inertia(2, 2);  // torque 2 t, so the speed is t^2 / I
  EXPECT_NEAR(world.velocity(state)[0] / rate, 1, 1e-9);
  EXPECT_NEAR(budget.injected() / budget.kinetic(), 1, 1e-3);  // by the trapezoidal rule
}

TEST(Bones, the_same_state_continues_with_the_same_bits) {
  const BoneWorld world({hanging_bar(), hanging_bar("lower", "bar", -1)});
  for (const IntegratorEntry& row : integrators()) {
    if (!row.restartable) continue;
    State a = world.state(Eigen::Vector2d(0.4, 0.3), Eigen::Vector2d(1, -1));
    BoneIntegrator one = world.integrator(row.name);
    one.prepare(*world.system);
    for (int i = 0; i < 5; ++i) one.step(a, 0.01);
    State b = a;
    BoneIntegrator other = world.integrator(row.name);
    other.prepare(*world.system);
    for (int i = 0; i < 5; ++i) one.step(a, 0.01), other.step(b, 0.01);
    EXPECT_EQ(a.q, b.q) << row.name;
    EXPECT_EQ(a.v, b.v) << row.name;
  }
}

TEST(Bones, more_than_half_a_turn_in_a_step_is_refused) {
  const BoneWorld world({free_box()}, {0, 0, 0});
  VectorXd u = VectorXd::Zero(6);
  u[5] = 400;
  State state = world.state(world.skeleton->rest(), u);
  const State before = state;
  BoneIntegrator integrator = world.integrator("si");
  integrator.prepare(*world.system);
  EXPECT_EQ(integrator.step(state, 0.01).status, StepStatus::diverged);
  EXPECT_EQ(state.q, before.q);
}

}  // namespace
}  // namespace brio

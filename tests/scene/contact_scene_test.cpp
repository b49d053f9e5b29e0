// Bodies that fall, lie and slide on obstacles: no energy comes from an impact, what lies stays, and friction holds as
// Coulomb's law says. Scenes that anyone would try on the first day.

#include "brio/core/parallel.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/warnings.hpp"
#include "brio/system/contact_set.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr double kG = 9.81;

Simulation built_scene(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_simulation(parse_scene(text, "scene.json", scene_tables(), overrides));
}

/// A cube of 20 cm whose lower side is 30 cm above a smooth floor.
std::string falling_cube(double E, const std::string& method, double h, double duration) {
  return fmt::format(R"({{
    "mesh": {{"generate": "box", "size": [0.2, 0.2, 0.2], "cells": [4, 4, 4], "transform": {{"translate": [0, 0.3, 0]}}}},
    "materials": [{{"law": "neo-hookean", "E": {}, "nu": 0.4, "rho": 1000}}],
    "obstacles": [{{"shape": "half-space"}}],
    "integrator": {{"name": "{}", "h": {}}}, "duration": {}}})",
                     E, method, h, duration);
}

/// A box of 20 x 10 x 20 cm on a slope, along which x points: gravity is turned instead of the floor.
std::string sliding_box(double slope, double friction, const std::string& method, double h, double duration,
                        const std::string& velocity = "[0, 0, 0]") {
  const double angle = std::atan(slope);
  return fmt::format(R"({{
    "mesh": {{"generate": "box", "size": [0.2, 0.1, 0.2], "cells": [4, 2, 4], "tets_per_cell": "6"}},
    "materials": [{{"law": "neo-hookean", "E": 1e6, "nu": 0.4, "rho": 1000}}],
    "gravity": [{}, {}, 0], "initial": {{"velocity": {}}},
    "obstacles": [{{"shape": "half-space", "friction": {}}}],
    "integrator": {{"name": "{}", "h": {}}}, "duration": {}}})",
                     kG * std::sin(angle), -kG * std::cos(angle), velocity, friction, method, h, duration);
}

Vec3 center(const Simulation& simulation) {
  MatrixX3d x;
  simulation.system->positions(simulation.state.t, simulation.state.q, x);
  const VectorXd& mass = simulation.system->vertex_mass();
  return x.transpose() * mass / mass.sum();
}

struct Course {
  RunStatus status;
  double gain = 0;      ///< the most by which the energy rose above what it was, with what came from outside [J]
  double start = 0;     ///< the energy at the start above the floor [J]
  double kinetic = 0;   ///< the most in the last tenth [J]
  double unbooked = 0;  ///< energy that is missing at the end [J]
  double angular = 0;   ///< the most of the angular momentum about the vertical [kg m^2/s]
  double dissipated = 0;
  Vec3 way;
};

Course course(Simulation& simulation) {
  Course found;
  std::vector<StepRecord> steps;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) { steps.push_back(record); };
  const Vec3 from = center(simulation);
  found.status = run(simulation, listener).status;
  found.start = steps.front().total();
  const auto kept = [&](const StepRecord& r) { return r.total() - r.injected + r.dissipated - found.start; };
  for (const StepRecord& record : steps) {
    found.gain = std::max(found.gain, kept(record));
    found.angular = std::max(found.angular, std::fabs(record.momentum.angular[1]));
    if (10 * record.step >= 9 * steps.back().step) found.kinetic = std::max(found.kinetic, record.kinetic);
  }
  found.unbooked = kept(steps.back());
  found.dissipated = steps.back().dissipated;
  found.way = center(simulation) - from;
  return found;
}

Course course(const std::string& text) {
  Simulation simulation = built_scene(text);
  return course(simulation);
}

class FallWithEvery : public ::testing::TestWithParam<std::string> {};

/// At h = 0.01 for the implicit methods; explicit ones at a step that they stand.
TEST_P(FallWithEvery, ends_with_no_more_energy_than_it_began_with) {
  if (GetParam() == "fe") GTEST_SKIP() << "forward Euler gains energy from any vibration";
  const bool is_explicit = GetParam() == "se" || GetParam() == "rk4";
  for (double E : is_explicit ? std::vector<double>{1e6} : std::vector<double>{1e6, 1e8}) {
    const Course found = course(falling_cube(E, GetParam(), is_explicit ? 2e-4 : 0.01, 0.6));
    EXPECT_EQ(found.status, RunStatus::finished) << E;
    // Of what the fall has brought: symplectic Euler's energy swings with h.
    const double tolerated = GetParam() == "se" ? 0.05 : 0.01;
    EXPECT_LT(found.gain, tolerated * found.start) << E;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FallWithEvery, ::testing::ValuesIn(names_of(integrators())),
                         [](const auto& info) { return info.param; });

class FallWithLinear : public ::testing::TestWithParam<std::string> {};

TEST_P(FallWithLinear, loses_energy_by_the_impact_and_comes_to_rest) {
  for (double E : {1e6, 1e8}) {
    const Course found = course(falling_cube(E, GetParam(), 0.01, 4));
    ASSERT_EQ(found.status, RunStatus::finished) << E;
    EXPECT_LT(found.gain, 1e-10 * found.start) << E;
    EXPECT_LT(found.kinetic, 1e-3 * found.start) << E;
  }
}

/// Frictionless: nothing may turn it about the vertical, nothing may move it sideways, and its energy only falls.
TEST_P(FallWithLinear, leaves_a_soft_cube_unturned_for_a_minute) {
  for (double E : {2e4, 5e4, 1e5}) {
    const Course found = course(falling_cube(E, GetParam(), 0.01, E == 5e4 ? 60 : 10));
    ASSERT_EQ(found.status, RunStatus::finished) << E;
    EXPECT_LT(found.gain, 1e-10 * found.start) << E;
    EXPECT_LT(found.angular, 1e-9) << E;
    EXPECT_LT(std::hypot(found.way[0], found.way[2]), 1e-3) << E;
    EXPECT_LT(found.kinetic, (E == 5e4 ? 1e-3 : 0.1) * found.start) << E;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FallWithLinear, ::testing::Values("si", "siere", "ksiere"),
                         [](const auto& info) { return info.param; });

/// The same body after it has settled under `settle`, at rest.
Simulation settled(const std::string& settle, const std::string& text) {
  Simulation before = built_scene(settle), simulation = built_scene(text);
  run(before, {});
  simulation.state.q = before.state.q;
  ContactSet::copy_memory(before.state, simulation.state);
  return simulation;
}

/// Methods that keep vibrations are not among these: what shakes slides a little with every shake.
class SlopeWithDamping : public ::testing::TestWithParam<std::string> {};

TEST_P(SlopeWithDamping, holds_below_the_angle_of_friction) {
  const double h = 0.01, duration = 2;
  // What shakes on a slope slides a little with every shake. So the box is laid down, not dropped from no height.
  const auto laid = [&](double slope, double friction) {
    Simulation box =
        settled(sliding_box(slope, 2 * friction, "si", 0.01, 1), sliding_box(slope, friction, GetParam(), h, duration));
    return course(box);
  };
  const Course held = laid(0.5, 0.8);
  EXPECT_EQ(held.status, RunStatus::finished);
  EXPECT_LT(held.way.norm(), 1e-5);
  EXPECT_LT(std::fabs(laid(0.98 * 0.5, 0.5).way[0]), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, SlopeWithDamping, ::testing::Values("si", "siere", "ksiere", "be", "bdf2", "genalpha"),
                         [](const auto& info) { return info.param; });

class RestOnSlope : public ::testing::TestWithParam<std::string> {};

/// A box that lies on a slope in equilibrium stays there under every method, also under those that would keep it
/// shaking if it shook.
TEST_P(RestOnSlope, stays_at_98_percent_of_the_angle_of_friction) {
  if (GetParam() == "fe") GTEST_SKIP() << "forward Euler gains energy from any vibration";
  const bool is_explicit = GetParam() == "se" || GetParam() == "rk4";
  const double slope = 0.98 * 0.5, h = is_explicit ? 2e-4 : 0.01, duration = is_explicit ? 0.2 : 2;
  Simulation box = settled(sliding_box(slope, 0.5, "si", 0.01, 6), sliding_box(slope, 0.5, GetParam(), h, duration));
  const Course held = course(box);
  EXPECT_EQ(held.status, RunStatus::finished);
  EXPECT_LT(held.way.norm(), 1e-5);
}

TEST_P(RestOnSlope, slides_at_102_percent_of_the_angle_of_friction) {
  const bool is_explicit = GetParam() == "se" || GetParam() == "rk4" || GetParam() == "fe";
  if (is_explicit) GTEST_SKIP() << "ten thousand steps; the springs are those of the other methods";
  const double slope = 1.02 * 0.5, duration = 2;
  Simulation box = settled(sliding_box(slope, 1, "si", 0.01, 1), sliding_box(slope, 0.5, GetParam(), 0.01, duration));
  const double angle = std::atan(slope),
               way = 0.5 * kG * (std::sin(angle) - 0.5 * std::cos(angle)) * duration * duration;
  // The drive is 2 % of the friction. What shakes lets go a little more of it, and stabilized keeps what shakes.
  EXPECT_NEAR(course(box).way[0], way, (GetParam() == "stabilized" ? 0.35 : 0.1) * way);
}

INSTANTIATE_TEST_SUITE_P(All, RestOnSlope, ::testing::ValuesIn(names_of(integrators())),
                         [](const auto& info) { return info.param; });

/// Dropped from no height a box shakes, and without any damping would creep for ever: soft and stiff, long and short
/// steps. It is backward Euler that ends it: with the midpoint alone, a hundred times as much of the shaking and more is
/// left after the first second.
TEST(Friction, ends_the_creep_of_a_box_under_the_guarded_midpoint) {
  struct Case {
    double E, h;
    double first, then;  ///< the farthest that it may come in the first second, where it settles, and in the next
    double kinetic;      ///< the most at the end of the first second: half way, in digits, to that of the midpoint [J]
  };
  constexpr double any = std::numeric_limits<double>::infinity();  // soft bodies shake on: docs/lim.md
  for (const Case c : {Case{1e5, 0.01, 5e-3, 2e-4, any}, Case{1e6, 0.01, 5e-3, 2e-4, 5e-8},
                       Case{1e8, 0.01, 5e-3, 2e-4, 1e-11}, Case{1e6, 0.002, 5e-3, 2e-4, any},
                       Case{1e6, 0.03, 5e-3, 2e-4, 1e-8}}) {
    const std::vector<std::string> soft = {fmt::format("materials[0].E={}", c.E)};
    Simulation box = built_scene(sliding_box(0.5, 0.8, "glim", c.h, 1), soft);
    const Course settling = course(box);
    EXPECT_LT(std::fabs(settling.way[0]), c.first) << c.E << ' ' << c.h;
    EXPECT_LT(settling.kinetic, c.kinetic) << c.E << ' ' << c.h;
    EXPECT_LT(std::fabs(course(box).way[0]), c.then) << "in the second after, " << c.E << ' ' << c.h;
  }
}

TEST(Friction, stops_a_box_after_v_squared_over_two_mu_g) {
  for (const char* method : {"si", "ksiere", "be", "im", "newmark"}) {
    const double v = 2, mu = 0.4, distance = v * v / (2 * mu * kG);
    const Course found = course(sliding_box(0, mu, method, 0.005, 1.5, "[2, 0, 0]"));
    // It falls by the depth of its weight first. Methods that keep energy let it shake, and what shakes sticks at
    // times.
    const bool keeps = std::string(method) == "im" || std::string(method) == "newmark";
    EXPECT_NEAR(found.way[0], distance, (keeps ? 0.12 : 0.03) * distance) << method;
    EXPECT_LT(found.gain, 1e-2 * 0.5 * 4 * v * v) << method;
    EXPECT_NEAR(found.dissipated, 0.5 * 4 * v * v, (keeps ? 0.12 : 0.05) * 0.5 * 4 * v * v) << method;
  }
}

TEST(Friction, a_floor_that_swings_carries_a_box) {
  for (const char* method : {"si", "ksiere", "be"}) {
    // 0.1 m at 0.5 Hz: the most that friction has to bear is 0.1 g. It slides at first, for the floor starts at once.
    Simulation simulation =
        built_scene(sliding_box(0, 0.5, method, 0.01, 2),
                    {R"(obstacles[0].motion={"name": "oscillate", "amplitude": [0.1, 0, 0], "frequency": 0.5})"});
    course(simulation);
    simulation.steps = 50;  // a quarter of a swing
    EXPECT_NEAR(course(simulation).way[0], 0.1, 1e-4) << method;
    simulation.steps = 150;
    EXPECT_NEAR(course(simulation).way[0], -0.1, 1e-4) << method;
  }
}

/// Sizes and speeds far from a meter: the same numbers rule.
TEST(Contact, bodies_of_a_millimeter_and_of_a_hundred_meters_come_to_rest) {
  for (double size : {1e-3, 100.0}) {
    Simulation simulation = built_scene(
        falling_cube(1e6 * size / 0.2, "si", 0.01 * std::sqrt(size / 0.2), 5 * std::sqrt(size)),
        {fmt::format("mesh.size=[{0},{0},{0}]", size), fmt::format("mesh.transform.translate=[0,{},0]", size)});
    const Course found = course(simulation);
    EXPECT_EQ(found.status, RunStatus::finished) << size;
    EXPECT_LT(found.gain, 1e-9 * found.start) << size;
    EXPECT_LT(found.kinetic, 1e-4 * found.start) << size;
  }
}

TEST(Contact, a_thin_plate_stops_what_comes_fast) {
  for (const char* method : {"si", "siere", "ksiere", "be", "im"}) {
    Simulation simulation =
        built_scene(falling_cube(1e6, method, 0.01, 1),
                    {R"(obstacles=[{"shape": "box", "size": [2, 0.02, 2], "center": [0, -0.01, 0]}])",
                     "initial.velocity=[0,-3,0]"});
    const Course found = course(simulation);
    EXPECT_EQ(found.status, RunStatus::finished) << method;
    EXPECT_GT(center(simulation)[1], 0.05) << method;
    EXPECT_LT(found.gain, 0.01 * found.start) << method;
  }
}

TEST(Contact, the_same_bits_for_any_number_of_threads) {
  for (const char* method : {"glim", "si", "ksiere", "im", "ere"}) {
    const auto end = [&](int threads) {
      set_thread_count(threads);
      Simulation simulation = built_scene(sliding_box(0.3, 0.4, method, 0.01, 0.3, "[1, 0, 0.5]"));
      run(simulation, {});
      set_thread_count(0);
      return simulation.state.q;
    };
    const VectorXd one = end(1);
    EXPECT_EQ(one, end(2)) << method;
    EXPECT_EQ(one, end(5)) << method;
  }
}

TEST(Contact, a_body_that_starts_in_an_obstacle_is_named) {
  const Simulation simulation = built_scene(falling_cube(1e6, "si", 0.01, 1), {"mesh.transform.translate=[0,-0.05,0]"});
  const auto lines = scene_warnings(*simulation.scene, simulation);
  const auto named = [](const std::string& line) {
    return line.find("starts inside obstacles[0]") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), named));
}

}  // namespace
}  // namespace brio

// Obstacles of triangles: standing and moving, closed and open, from files and made here; bodies and cloth touch them with
// friction and do not pass through them. Bad surfaces are mended with a word about it, or refused.

#include "brio/core/parallel.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "touching.hpp"

namespace brio {
namespace {

/// A block of 10 cm on a floor of two triangles, with about the gap that its weight makes; `motion` and `friction` are of the floor, x is down the slope.
std::string block_on_floor(const std::string& method, double slope, double friction, const std::string& motion = "") {
  const double angle = std::atan(slope), g = 9.81;
  return fmt::format(R"({{
    "mesh": {{"generate": "box", "size": [0.1, 0.05, 0.1], "cells": [2, 1, 2]}},
    "materials": [{{"law": "stable-neo-hookean", "E": 1e6, "nu": 0.3, "rho": 1000}}],
    "obstacles": [{{"shape": "mesh", "friction": {}, {}
                   "mesh": {{"springs": "cloth", "width": 4, "length": 4, "nx": 2, "ny": 2, "plane": "xz",
                            "transform": {{"translate": [-1, -0.0053, -2]}}}}}}],
    "gravity": [{}, {}, 0],
    "integrator": {{"name": "{}", "h": 0.005}}, "duration": 0.5}})",
                     friction, motion, g * std::sin(angle), -g * std::cos(angle), method);
}

class OnTriangles : public ::testing::TestWithParam<std::string> {};

TEST_P(OnTriangles, a_block_lies_still_and_the_floor_carries_its_weight) {
  Simulation simulation = touching_scene(block_on_floor(GetParam(), 0, 0.3), {"duration=1.5"});
  const Trace trace = traced(simulation);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  EXPECT_EQ(trace.crossings, 0);
  EXPECT_GT(trace.x.col(1).minCoeff(), -0.0053);
  if (GetParam() == "glim" || GetParam() == "ere") return;  // they keep what is left of the fall
  const double mass = simulation.system->vertex_mass().sum(), weight = 9.81 * mass;
  // What is lost to impact and damping is little: the sum of all forces over the last tenth is the weight.
  double mean = 0;
  for (size_t i = trace.steps.size() - 30; i < trace.steps.size(); ++i)
    mean += (trace.steps[i].momentum.linear[1] - trace.steps[i - 1].momentum.linear[1]) / 30;
  EXPECT_LT(std::fabs(mean) / 0.005, 0.02 * weight);
}
INSTANTIATE_TEST_SUITE_P(MeshObstacle, OnTriangles, ::testing::Values("si", "glim", "ksiere", "siere", "ere", "be", "bdf2"),
                         [](const auto& info) { return info.param; });

TEST(MeshObstacle, friction_is_coulombs) {
  const double mu = 0.4, g = 9.81;
  const auto speeds = [&](double slope) {
    Simulation simulation = touching_scene(block_on_floor("si", slope, mu));
    const double mass = simulation.system->mass().sum() / 3;
    std::vector<double> along;
    for (const StepRecord& step : traced(simulation, false).steps) along.push_back(step.momentum.linear[0] / mass);
    return along;
  };
  for (double share : {1.05, 1.5}) {
    const std::vector<double> v = speeds(share * mu);
    const double angle = std::atan(share * mu), acceleration = (v[100] - v[40]) / 0.3;
    EXPECT_NEAR(std::tan(angle) - acceleration / (g * std::cos(angle)), mu, 0.01 * mu) << share;
  }
  EXPECT_LT(std::fabs(speeds(0.9 * mu).back()), 1e-5);
}

/// A floor that goes sideways takes along what lies on it; one that turns does, too.
TEST(MeshObstacle, a_moving_floor_carries_a_block) {
  Simulation carried = touching_scene(
      block_on_floor("si", 0, 0.8, R"("motion": {"name": "translate", "velocity": [0.4, 0, 0]},)"), {"duration=1"});
  const Trace trace = traced(carried);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  EXPECT_EQ(trace.crossings, 0);
  const double mass = carried.system->vertex_mass().sum();
  EXPECT_NEAR(trace.steps.back().momentum.linear[0] / mass, 0.4, 0.004);
  Simulation turned = touching_scene(
      block_on_floor("si", 0, 0.8, R"("motion": {"name": "rotate", "axis": [0, 1, 0], "center": [0.05, 0, 0.05], "rate": 1.0471975511965976},)"),
      {"duration=1"});
  const Trace turning = traced(turned);
  ASSERT_EQ(turning.result.status, RunStatus::finished) << turning.result.message;
  EXPECT_EQ(turning.crossings, 0);
  // About its own middle by the angular velocity of the floor.
  const Vec3 middle = turning.x.colwise().mean();
  MatrixX3d u;
  turned.system->velocities(turned.state.t, turned.state.v, u);
  const Vec3 arm = Vec3(turning.x.row(0)) - middle;
  const Vec3 relative = Vec3(u.row(0)) - Vec3(u.colwise().mean());
  EXPECT_NEAR(arm.cross(relative)[1] / (arm[0] * arm[0] + arm[2] * arm[2]), std::numbers::pi / 3, 0.02);
}

/// A plate that comes fast pushes a ball, which does not get through.
TEST(MeshObstacle, a_fast_plate_does_not_pass_through_a_ball) {
  Simulation simulation = touching_scene(R"({
    "mesh": {"generate": "ball", "radius": 0.05, "shell": 0, "resolution": 4},
    "materials": [{"law": "stable-neo-hookean", "E": 2e5, "nu": 0.4, "rho": 1000}],
    "obstacles": [{"shape": "mesh", "motion": {"name": "translate", "velocity": [5, 0, 0]},
                   "mesh": {"springs": "cloth", "width": 0.4, "length": 0.4, "nx": 3, "ny": 3, "plane": "xy",
                            "transform": {"rotate_degrees": 90, "translate": [-0.2, -0.2, 0.2]}}}],
    "gravity": [0, 0, 0], "integrator": {"name": "si", "h": 0.005}, "duration": 0.1})");
  const Trace trace = traced(simulation);
  ASSERT_NE(trace.result.status, RunStatus::diverged) << trace.result.message;
  EXPECT_EQ(trace.crossings, 0);
  EXPECT_GT(trace.x.col(0).minCoeff(), -0.2 + 0.5);  // all of it is before the plate
}

TEST(MeshObstacle, cloth_lies_on_a_ball_of_triangles) {
  Simulation simulation = touching_scene(R"({
    "mesh": {"springs": "cloth", "width": 0.4, "length": 0.4, "nx": 9, "ny": 9, "plane": "xz",
             "transform": {"translate": [-0.2, 0.13, -0.2]}},
    "springs": {"stiffness": 200, "bend_stiffness": 2, "total_mass": 0.05},
    "obstacles": [{"shape": "mesh", "friction": 0.4, "mesh": {"generate": "ball", "radius": 0.12, "shell": 0, "resolution": 5}}],
    "damping": {"alpha": 2}, "integrator": {"name": "si", "h": 0.005}, "duration": 0.4})");
  const Trace trace = traced(simulation);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  EXPECT_EQ(trace.crossings, 0);
  EXPECT_GT(trace.x.col(1).maxCoeff(), 0.1);   // it hangs on the ball
  EXPECT_LT(trace.x.col(1).minCoeff(), 0.05);  // and down at its sides
}

TEST(MeshObstacle, has_the_same_bits_for_any_number_of_threads_and_from_a_copied_state) {
  const std::string scene =
      block_on_floor("si", 0.1, 0.3, R"("motion": {"name": "oscillate", "amplitude": [0.02, 0, 0], "frequency": 3},)");
  expect_same_bits_for_any_threads(scene, {"duration=0.2"});
  expect_same_bits_from_copied_state(scene);
}

/// What the floor does to a block at rest is in its reaction: the weight, at the middle of the block.
TEST(MeshObstacle, the_reaction_of_a_floor_is_the_weight_that_lies_on_it) {
  Simulation simulation = touching_scene(block_on_floor("si", 0, 0.5), {"duration=1.5"});
  const Trace trace = traced(simulation, false);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  const auto found = simulation.reactions.measure(*simulation.system, simulation.state, simulation.h,
                                                  trace.steps.back().report.contact_forces.get());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(simulation.reactions.sources[0].path, "obstacles[0]");
  const VectorXd& mass = simulation.system->vertex_mass();
  const Vec3 weight(0, 9.81 * mass.sum(), 0), middle = trace.x.transpose() * mass / mass.sum();
  EXPECT_LT((found[0].force - weight).norm(), 1e-3 * weight.norm());
  EXPECT_LT((found[0].torque - middle.cross(weight)).norm(), 1e-3 * 0.1 * weight.norm());
}

/// A floor that swings up and down under a block: what it gives and what is lost is booked, so that the sum stays.
TEST(MeshObstacle, the_work_of_a_moving_floor_is_in_the_books) {
  Simulation simulation =
      touching_scene(block_on_floor("si", 0, 0.5, R"("motion": {"name": "oscillate", "amplitude": [0, 0.02, 0], "frequency": 2},)"),
                     {"integrator.h=0.002", "duration=1"});
  const Trace trace = traced(simulation, false);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  double largest = 0, most_injected = 0;
  for (const StepRecord& step : trace.steps) {
    largest = std::max(largest, step.kinetic + step.potentials.elastic);
    most_injected = std::max(most_injected, step.injected);
  }
  EXPECT_GT(most_injected, 0.5 * largest);
  const StepRecord &start = trace.steps.front(), &end = trace.steps.back();
  const double missing = end.total() + end.dissipated - end.injected - start.total();
  // si loses some of every vibration, and that is not booked; it gains nothing.
  EXPECT_LT(missing, 0.01 * largest);
  EXPECT_GT(missing, -0.5 * largest);
}

std::filesystem::path write_surface(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / name;
  std::ofstream(file) << text;
  return file;
}

/// A scene with a small cube above the file's surface.
std::string cube_above(const std::filesystem::path& file) {
  return fmt::format(R"({{
    "mesh": {{"generate": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1], "transform": {{"translate": [0.2, 1.2, 0.2]}}}},
    "materials": [{{"law": "arap", "E": 1e5, "nu": 0.3, "rho": 1000}}],
    "obstacles": [{{"shape": "mesh", "mesh": {{"file": "{}"}}}}],
    "integrator": {{"name": "si", "h": 0.01}}, "steps": 2}})",
                     file.string());
}

std::string notes_of(const std::string& scene) {
  std::string all;
  for (const std::string& note : touching_scene(scene).notes) all += note + "\n";
  return all;
}

TEST(MeshObstacle, says_what_is_odd_with_a_surface) {
  const auto expect = [](const std::string& name, const std::string& text, const std::string& part) {
    const std::string notes = notes_of(cube_above(write_surface(name, text)));
    EXPECT_NE(notes.find(part), std::string::npos) << part << " in: " << notes;
  };
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\n";
  expect("open.obj", square + "f 1 2 3\nf 1 3 4\n", "obstacles[0].mesh: 4 open edges, the first at [0, 0, 0]");
  expect("flat.obj", square + "v 2 0 0\nf 1 2 3\nf 1 3 4\nf 1 2 5\n", "1 triangles without area were left out");
  expect("twice.obj", square + "f 1 2 3\nf 1 3 4\nf 3 2 1\n", "1 triangles were there already and were left out");
  expect("apart.obj", square + "v 0 0 0\nf 1 2 3\nf 5 3 4\n", "1 vertices were at the place of another one");
  expect("fan.obj", square + "v 0.5 0.5 0\nv 0.5 -0.5 0\nf 1 2 3\nf 1 2 5\nf 1 2 6\n", "1 edges have more than two triangles");
  expect("through.obj", square + "v 0.2 -0.5 0.3\nv 0.2 0.5 0.3\nv 0.4 0.5 0.4\nf 1 2 3\nf 1 3 4\nf 5 6 7\n",
         "pairs of its triangles pass through each other, the first near");
}

TEST(MeshObstacle, refuses_what_cannot_be_touched) {
  const auto expect = [](const std::string& scene, const std::string& part) {
    const std::string text = refusal(scene, {});
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  };
  expect(cube_above("no-such-file.obj"), "obstacles[0].mesh.file");
  expect(cube_above(write_surface("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")), "nothing to touch");
  expect(cube_above(write_surface("in-the-cube.obj", "v 0 1.3 0\nv 1 1.3 0\nv 0.3 1.3 1\nf 1 2 3\n")),
         "pass through triangles at the start: \"body\" and \"obstacles[0]\" at [");
  const std::string floor = block_on_floor("si", 0, 0.3);
  const auto with = [&](const std::string& override_text) { return refusal(floor, {override_text}); };
  EXPECT_NE(with("obstacles[0].mesh=null").find("obstacles[0].mesh"), std::string::npos);
  EXPECT_NE(with("obstacles[0].shape=\"half-space\"").find("only with \"shape\": \"mesh\""), std::string::npos);
  EXPECT_NE(with("obstacles[0].friction=-1").find("obstacles[0].friction"), std::string::npos);
  EXPECT_NE(with("obstacles[0].mesh={\"springs\": \"spring-rope\", \"length\": 1, \"segments\": 4}").find("no triangles to touch"),
            std::string::npos);
}

/// Without "contact" bodies touch the obstacle and neither each other nor themselves.
TEST(MeshObstacle, alone_leaves_bodies_to_pass_through_each_other) {
  Simulation simulation = touching_scene(R"({
    "bodies": {"a": {"mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]},
                     "materials": [{"law": "arap", "E": 1e5, "nu": 0.3, "rho": 1000}]},
               "b": {"instance_of": "a", "transform": {"translate": [0.05, 0.05, 0.05]}}},
    "obstacles": [{"shape": "mesh", "mesh": {"generate": "box", "size": [2, 0.1, 2], "cells": [2, 1, 2],
                                             "transform": {"translate": [-1, -0.102, -1]}}}],
    "integrator": {"name": "si", "h": 0.01}, "duration": 0.6})");
  const Trace trace = traced(simulation, false);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  EXPECT_GT(trace.x.col(1).minCoeff(), -0.002);
  EXPECT_LT(trace.x.col(1).minCoeff(), 0.01);  // a tenth of an edge
  EXPECT_LT(trace.x.col(1).maxCoeff(), 0.12);  // both lie on the floor
}

}  // namespace
}  // namespace brio

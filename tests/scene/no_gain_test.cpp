// A dozen bodies that nothing drives, under the methods that promise the most: none may end a step with more energy
// than it began the motion with.

#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

struct UndrivenScene {
  std::string name, text;  ///< without integrator and duration
};

std::string bar_text(const std::string& material, const std::string& more) {
  return fmt::format(
      R"("mesh": {{"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [6, 2, 2], "tets_per_cell": "6"}}, "materials": [{}],
         "sets": {{"left": {{"select": "extreme", "axis": "x", "side": "min"}}}}{})",
      material, more);
}

const std::string kHeld = R"(, "constraints": [{"set": "left", "motion": "fixed"}])";
const std::string kSoft = R"({"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000})";
const std::string kStiff = R"({"law": "neo-hookean", "E": 5e9, "nu": 0.4, "rho": 1000})";
const std::string kCube = R"("mesh": {"generate": "box", "size": [0.2, 0.2, 0.2], "cells": [3, 3, 3],
  "transform": {"translate": [0, 0.2, 0]}}, "materials": [{"law": "neo-hookean", "E": 3e5, "nu": 0.4, "rho": 1000}])";

const UndrivenScene kScenes[] = {
    {"soft_bar", bar_text(kSoft, kHeld)},
    {"middling_bar", bar_text(R"({"law": "neo-hookean", "E": 5e6, "nu": 0.4, "rho": 1000})", kHeld)},
    {"stiff_bar", bar_text(kStiff, kHeld)},
    {"corotated_bar", bar_text(R"({"law": "corotated", "E": 1e5, "nu": 0.3, "rho": 1000})", kHeld)},
    {"stvk_bar", bar_text(R"({"law": "stvk", "E": 2e5, "nu": 0.3, "rho": 1000})", kHeld)},
    {"thrown_bar", bar_text(kSoft, R"(, "initial": {"velocity": [1, 2, 0], "angular_velocity": [0, 3, 8]})")},
    {"stretched_bar", bar_text(kSoft, kHeld + R"(, "gravity": [0, 0, 0], "initial": {"stretch": [1.6, 1, 1]})")},
    {"twisted_bar", bar_text(kSoft, kHeld + R"(, "gravity": [0, 0, 0], "initial": {"twist_degrees": 270})")},
    {"falling_cube", kCube + R"(, "obstacles": [{"shape": "half-space"}])"},
    {"sliding_cube",
     kCube + R"(, "obstacles": [{"shape": "half-space", "friction": 0.4}], "initial": {"velocity": [2, 0, 0]})"},
    {"cloth",
     R"("mesh": {"springs": "cloth", "width": 1, "length": 1, "nx": 8, "ny": 8}, "springs": {"stiffness": 200, "total_mass": 0.3},
      "sets": {"top": {"select": "extreme", "axis": "x", "side": "min"}}, "constraints": [{"set": "top", "motion": "fixed"}])"},
    {"cut_bar",
     bar_text(kSoft,
              kHeld + R"(, "cuts": [{"time": 0.1, "kind": "plane", "point": [0.21, 0, 0], "normal": [1, 0.2, 0.1]}])")},
};

void expect_no_gain(Simulation simulation) {
  std::vector<StepRecord> steps;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) { steps.push_back(record); };
  ASSERT_NE(run(simulation, listener).status, RunStatus::diverged);
  const auto potential = [](const StepRecord& r) { return r.potentials.total(); };
  double lowest = potential(steps.front());
  for (const StepRecord& record : steps) lowest = std::min(lowest, potential(record));
  // What could move: above the lowest potential energy that was seen, and what went into strain.
  double most = steps.front().total() - lowest, gain = 0;
  for (const StepRecord& record : steps) {
    most = std::max(most, record.potentials.elastic);
    gain = std::max(gain, record.total() + record.dissipated - record.injected - steps.front().total());
  }
  EXPECT_LT(gain, 0.01 * most);
}

using Case = std::tuple<UndrivenScene, std::string>;
class Undriven : public ::testing::TestWithParam<Case> {};

TEST_P(Undriven, gains_no_more_than_a_percent) {
  const auto& [scene, method] = GetParam();
  const std::string text = fmt::format(R"({{{}, "integrator": {}, "steps": 100}})", scene.text, method);
  expect_no_gain(build_simulation(parse_scene(text, "scene.json", scene_tables())));
}

/// Six bones that swing have no strain to lose energy from: what is gained must not be gained.
TEST(UndrivenBones, gain_no_more_than_a_percent_under_glim) {
  expect_no_gain(build_simulation(
      load_scene(std::string(BRIO_SOURCE_DIR) + "/scenes/bone-chain.json", scene_tables(), {"integrator={\"name\": \"glim\", \"h\": 0.002}"})));
}

const std::string kMethods[] = {
    R"({"name": "glim", "h": 0.01})",   R"({"name": "si", "h": 0.01})",
    R"({"name": "ksiere", "h": 0.01})", R"({"name": "ksiere", "linearize": "middle", "h": 0.01})",
    R"({"name": "siere", "h": 0.01})",  R"({"name": "be", "h": 0.01})"};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  const std::string& method = std::get<1>(info.param);
  const std::string name = method.substr(10, method.find('"', 10) - 10);
  return std::get<0>(info.param).name + "_" + name + (method.find("middle") != std::string::npos ? "_middle" : "");
}

INSTANTIATE_TEST_SUITE_P(All, Undriven, ::testing::Combine(::testing::ValuesIn(kScenes), ::testing::ValuesIn(kMethods)),
                         case_name);

}  // namespace
}  // namespace brio

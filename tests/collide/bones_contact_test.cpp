// Bones, tissue on bones, and condensed bodies that touch.

#include "brio/integrate/contact_forces.hpp"
#include "brio/rigid/bone_points.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "touching.hpp"

namespace brio {
namespace {

/// A bar of bone, 30 cm long and round, that falls onto a cushion; the floor is below.
std::string stick_on_cushion(const std::string& method) {
  return fmt::format(R"({{
    "bodies": {{
      "stick": {{"bones": {{"stick": {{"shape": "capsule", "from": [-0.15, 0.16, 0], "to": [0.15, 0.16, 0.03], "radius": 0.03,
                                    "density": 500, "joint": {{"kind": "free", "anchor": [0, 0.16, 0]}}}}}}}},
      "cushion": {{"mesh": {{"generate": "box", "size": [0.4, 0.12, 0.4], "cells": [4, 2, 4],
                            "transform": {{"translate": [-0.2, 0.001, -0.2]}}}},
                  "materials": [{{"law": "stable-neo-hookean", "E": 2e4, "nu": 0.4, "rho": 200}}]}}}},
    "obstacles": [{{"shape": "half-space", "friction": 0.5}}], "contact": {{"friction": 0.4}},
    "integrator": {{"name": "{}", "h": 0.005}}, "duration": 0.4}})",
                     method);
}

class StickOnCushion : public ::testing::TestWithParam<std::string> {};

TEST_P(StickOnCushion, lies_on_it_and_does_not_pass_through) {
  Simulation simulation = touching_scene(stick_on_cushion(GetParam()));
  const Trace trace = traced(simulation);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  EXPECT_EQ(trace.crossings, 0);
  EXPECT_GT(most_contacts(trace), 20);
  for (const StepRecord& step : trace.steps)
    EXPECT_LT(step.total() + step.dissipated, trace.steps.front().total() + 0.02) << step.step;
  const Index tissue = trace.x.rows() - simulation.bones->count();
  EXPECT_GT(trace.x.bottomRows(simulation.bones->count()).col(1).minCoeff(), 0.08);
  EXPECT_LT(trace.x.topRows(tissue).col(1).maxCoeff(), 0.13);
}
INSTANTIATE_TEST_SUITE_P(BonesContact, StickOnCushion, ::testing::Values("si", "siere", "im"),
                         [](const auto& info) { return info.param; });

/// The cushion carries the weight of the stick: what they push each other with is m g when both have come to rest.
TEST(BonesContact, the_cushion_carries_the_weight_of_the_stick) {
  Simulation simulation = touching_scene(stick_on_cushion("si"), {"duration=1", "integrator.h=0.01"});
  double force = 0;
  int counted = 0;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    if (record.step <= 70) return;
    for (const ContactForces::Pair& pair : record.report.contact_forces->pairs)
      if (pair.first == 0 && pair.second == 1) force -= pair.force[1], ++counted;
  };
  ASSERT_EQ(run(simulation, listener).status, RunStatus::finished);
  double mass = 0;
  for (int v = simulation.bones->first(); v < simulation.system->vertices(); ++v) mass += simulation.system->vertex_mass()[v];
  EXPECT_EQ(counted, 30);
  EXPECT_NEAR(std::fabs(force) / counted, 9.81 * mass, 0.03 * 9.81 * mass);
}

TEST(BonesContact, has_the_same_bits_for_any_number_of_threads_and_from_a_copied_state) {
  expect_same_bits_for_any_threads(stick_on_cushion("si"), {"duration=0.2"});
  expect_same_bits_from_copied_state(stick_on_cushion("si"));
}

/// Bones of one body, which overlap at their joints and are inside of its tissue, touch neither each other nor the tissue.
TEST(BonesContact, bones_do_not_touch_their_own_body) {
  Simulation simulation = touching_scene(R"({
    "mesh": {"generate": "box", "size": [0.3, 0.06, 0.06], "cells": [10, 2, 2], "transform": {"translate": [0, -0.03, -0.03]}},
    "materials": [{"law": "stable-neo-hookean", "E": 3e4, "nu": 0.4, "rho": 1000}],
    "sets": {"one": {"select": "box", "min": [0.05, -0.01, -0.01], "max": [0.1, 0.01, 0.01]},
             "two": {"select": "box", "min": [0.2, -0.01, -0.01], "max": [0.25, 0.01, 0.01]}},
    "bones": {"one": {"shape": "capsule", "from": [0.02, 0, 0], "to": [0.15, 0, 0], "radius": 0.012, "tissue": "one",
                      "joint": {"kind": "free", "anchor": [0.1, 0, 0]}},
              "two": {"shape": "capsule", "from": [0.15, 0, 0], "to": [0.28, 0, 0], "radius": 0.012, "tissue": "two",
                      "parent": "one", "joint": {"kind": "revolute", "anchor": [0.15, 0, 0]}}},
    "gravity": [0, 0, 0], "contact": {}, "integrator": {"name": "si", "h": 0.01}, "steps": 5})");
  const Trace trace = traced(simulation, false);
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  EXPECT_EQ(most_contacts(trace), 0);
  EXPECT_LT(simulation.state.v.cwiseAbs().maxCoeff(), 1e-9);
}

/// Vertices that follow quasistatically are held out of each other as all others are, and the stack stands as high as the
/// one of whole bodies.
TEST(CondensedContact, a_stack_of_condensed_cubes_comes_to_rest) {
  const std::string condensed = R"(condensation={"nodes": {"choose": "farthest", "count": 18, "distance": 0.01}})";
  double height[2];
  for (int i = 0; i < 2; ++i) {
    std::vector<std::string> overrides = {"duration=2"};
    if (i == 1) overrides.push_back(condensed);
    Simulation simulation = touching_scene(kSmallStack, overrides);
    const Trace trace = traced(simulation);
    ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
    EXPECT_EQ(trace.crossings, 0);
    EXPECT_LT(simulation.state.v.cwiseAbs().maxCoeff(), 1e-3);
    for (size_t k = 1; k < trace.steps.size(); ++k)
      EXPECT_LT(trace.steps[k].total() + trace.steps[k].dissipated, trace.steps.front().total() * 1.001) << k;
    height[i] = trace.x.col(1).maxCoeff();
  }
  EXPECT_NEAR(height[1], height[0], 1e-3 * height[0]);
}

}  // namespace
}  // namespace brio

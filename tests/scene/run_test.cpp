// The run loop: who is told what, how a run ends, and that the end is said.

#include "brio/scene/run.hpp"

#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

Simulation bar(std::vector<std::string> overrides) {
  const std::string scene = R"({
    "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1},
    "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
    "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
    "constraints": [{"set": "wall"}],
    "integrator": {"name": "si", "h": 0.01},
    "steps": 20, "output": {"every": 6}})";
  return build_simulation(parse_scene(scene, "scene.json", scene_tables(), overrides));
}

TEST(Run, tells_of_every_step_and_of_the_frames) {
  Simulation simulation = bar({});
  std::vector<int> steps;
  std::vector<double> frames;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) { steps.push_back(r.step); };
  listener.on_frame = [&](const RunFrame& f) { frames.push_back(f.time); };
  const RunResult result = run(simulation, listener);
  EXPECT_EQ(result.status, RunStatus::finished);
  EXPECT_EQ(result.steps, 20);
  EXPECT_EQ(result.factorizations, 20);
  ASSERT_EQ(steps.size(), 21u);
  EXPECT_EQ(steps.back(), 20);
  ASSERT_EQ(frames.size(), 5u) << "start, 6, 12, 18 and the end";
  EXPECT_NEAR(frames[1], 0.06, 1e-12);
  EXPECT_NEAR(frames.back(), 0.2, 1e-12);
  EXPECT_LT(result.final_energy, result.initial_energy);
}

TEST(Run, stops_when_asked_with_a_last_frame) {
  Simulation simulation = bar({});
  int frames = 0, steps = 0;
  RunListener listener;
  listener.on_step = [&](const StepRecord&) { ++steps; };
  listener.on_frame = [&](const RunFrame&) { ++frames; };
  listener.stop = [&] { return steps > 4; };
  const RunResult result = run(simulation, listener);
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_EQ(result.steps, 5);
  EXPECT_EQ(frames, 2);
  EXPECT_EQ(result.message, "interrupted after step 5 of 20");
}

/// Damping of deformation and friction are set in the scene, and what they take is in the books of a run.
TEST(Run, books_what_damping_of_deformation_and_friction_take) {
  for (const char* set : {"damping.deformation=20", "obstacles=[{\"shape\": \"half-space\", \"friction\": 0.4}]"}) {
    Simulation simulation = bar({"constraints=[]", "initial.velocity=[1,-0.2,0]", "steps=60", set});
    StepRecord last;
    RunListener listener;
    listener.on_step = [&](const StepRecord& r) { last = r; };
    simulation.state.v += VectorXd::LinSpaced(simulation.state.v.size(), 0, 0.3);  // not a rigid motion
    ASSERT_EQ(run(simulation, listener).status, RunStatus::finished);
    EXPECT_GT(last.dissipated, 1e-3) << set;
  }
}

TEST(Run, an_explicit_method_beyond_its_limit_diverges_but_not_at_once) {
  Simulation simulation = bar({"integrator.name=fe", "integrator.h=0.005", "steps=400"});
  int frames = 0;
  RunListener listener;
  listener.on_frame = [&](const RunFrame& f) {
    EXPECT_TRUE(f.x.allFinite());
    ++frames;
  };
  const RunResult result = run(simulation, listener);
  EXPECT_EQ(result.status, RunStatus::diverged);
  EXPECT_GT(result.steps, 3);
  EXPECT_LT(result.steps, 400);
  EXPECT_GE(frames, 1);
  EXPECT_NE(result.message.find("Try a smaller step (integrator.h = 0.0025)"), std::string::npos) << result.message;
}

TEST(Run, a_falling_body_is_no_runaway) {
  Simulation simulation = bar({"constraints=[]", "sets={}", "integrator.h=0.05", "steps=200"});
  const RunResult result = run(simulation, {});
  EXPECT_EQ(result.status, RunStatus::finished) << result.message;
}

TEST(Run, a_body_at_rest_without_weight_is_no_runaway) {
  Simulation simulation = bar({"gravity=[0,0,0]"});
  EXPECT_EQ(run(simulation, {}).status, RunStatus::finished);
}

}  // namespace
}  // namespace brio

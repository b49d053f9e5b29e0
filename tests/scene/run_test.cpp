// The run loop: who is told what, how a run ends, and that the end is said.

#include "brio/scene/run.hpp"

#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

Simulation bar(std::vector<std::string> overrides) {
  const std::string scene = R"({
    "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1, "tets_per_cell": "6"},
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

TEST(Run, is_doubtful_where_most_steps_are_not_solved) {
  const std::vector<std::string> poor = {"materials[0].nu=0.4999", "integrator.name=be",
                                         "integrator.solver=quasi-newton", "integrator.iterations=5"};
  Simulation simulation = bar(poor);
  const RunResult result = run(simulation, {});
  EXPECT_EQ(result.status, RunStatus::doubtful);
  EXPECT_EQ(to_string(result.status), "doubtful");
  EXPECT_EQ(result.steps, 20);
  EXPECT_NE(result.message.find("of the steps far from solved. Try more \"iterations\""), std::string::npos)
      << result.message;
  Simulation right = bar({"materials[0].nu=0.4999", "integrator.name=be", "integrator.solver=quasi-newton"});
  EXPECT_EQ(run(right, {}).status, RunStatus::finished);
  Simulation newton = bar({"materials[0].nu=0.4999", "integrator.name=be"});
  const RunResult solved = run(newton, {});
  EXPECT_EQ(solved.status, RunStatus::finished);
  EXPECT_EQ(remarks(solved.shares), "");
}

TEST(Run, is_doubtful_where_the_body_collapses) {
  // Soft as jelly and as large as a house: its own weight crushes it.
  Simulation simulation = bar({"constraints=[]", "mesh.transform.scale=1000", "materials[0].law=stvk", "steps=100",
                               "integrator.h=0.1", "obstacles=[{\"shape\": \"half-space\"}]", "integrator.name=be"});
  const RunResult result = run(simulation, {});
  EXPECT_EQ(result.status, RunStatus::doubtful) << result.message;
  EXPECT_NE(result.message.find("of the elements inverted at the end"), std::string::npos) << result.message;
}

/// A step in which these happened.
StepWork step_with(int halvings, int shifts) {
  StepWork work;
  work.halvings = halvings;
  work.shifts = shifts;
  return work;
}

TEST(StepTally, tells_shares_of_steps) {
  StepTally tally;
  for (int i = 0; i < 200; ++i) tally.add(step_with(i < 24 ? 5 : 0, i < 1 ? 1 : 0), i < 20 ? 0.3 : 0.0004);
  const std::vector<StepShare> shares = tally.shares();
  EXPECT_EQ(
      remarks(shares),
      "0.5 % of the steps with a shifted matrix, 12 % halved, 100 % with inverted elements, less than 0.1 % of the "
      "elements inverted at the end");
  EXPECT_EQ(doubts(shares), "") << "what began crumpled has found its shape";
  for (int i = 0; i < 100; ++i) tally.add(step_with(1, 1), 0.1);
  EXPECT_EQ(doubts(tally.shares()),
            "34 % of the steps with a shifted matrix, 10 % of the elements inverted at the end. Try a smaller step; a "
            "smaller step, a finer mesh or a stiffer material");
  EXPECT_EQ(remarks(StepTally().shares()), "");
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
  EXPECT_NE(result.message.find("grows with every step of 0.005 s; it does so with any step"), std::string::npos)
      << result.message;
}

/// The message of an explicit run that blew up names a step that does: with it the run finishes.
TEST(Run, the_step_that_is_named_for_an_explicit_method_would_do) {
  Simulation simulation = bar({"integrator.name=se", "integrator.h=0.02", "steps=400"});
  const RunResult result = run(simulation, {});
  ASSERT_EQ(result.status, RunStatus::diverged);
  const std::string words = "take steps below ";
  const size_t at = result.message.find(words);
  ASSERT_NE(at, std::string::npos) << result.message;
  const double h = std::stod(result.message.substr(at + words.size()));
  Simulation shorter = bar({"integrator.name=se", fmt::format("integrator.h={}", 0.9 * h), "steps=2000"});
  EXPECT_EQ(run(shorter, {}).status, RunStatus::finished);
}

/// Sums of h drift by a unit of round-off a step.
TEST(Run, time_is_a_multiple_of_the_step) {
  Simulation simulation = bar({"integrator.h=0.01", "steps=3000", "constraints=[]", "gravity=[0,0,0]"});
  RunListener listener;
  listener.on_step = [](const StepRecord& r) { EXPECT_EQ(r.time, r.step * 0.01); };
  run(simulation, listener);
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

// Scenes of bones and of muscle: what is refused and how, and that they run with their books in order.

#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <gtest/gtest.h>

#include "scene/test_tables.hpp"

namespace brio::testing {
namespace {

constexpr const char* kDoublePendulum = R"({
  "bones": {
    "upper": {"shape": "capsule", "from": [0, 0, 0], "to": [0, -1, 0], "radius": 0.06,
              "joint": {"kind": "revolute", "anchor": [0, 0, 0], "angle": 1.2}},
    "lower": {"shape": "box", "size": [0.1, 0.8, 0.1], "center": [0, -1.5, 0], "parent": "upper",
              "joint": {"kind": "revolute", "anchor": [0, -1, 0], "speed": 1}}
  },
  "integrator": {"name": "rk4", "h": 0.002}, "steps": 250
})";

std::string refused_bones(const std::vector<std::string>& overrides) {
  try {
    build_simulation(parse_scene(kDoublePendulum, "scene.json", scene_tables(), overrides));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_words(const std::string& said, const std::string& words) {
  EXPECT_NE(said.find(words), std::string::npos) << "said: " << said << "\nexpected: " << words;
}

TEST(BoneScene, runs_and_keeps_its_energy) {
  const Scene scene = parse_scene(kDoublePendulum, "scene.json", scene_tables());
  Simulation simulation = build_simulation(scene);
  EXPECT_EQ(simulation.elements(), 2);
  EXPECT_STREQ(simulation.element_name(), "bones");
  EXPECT_GT(simulation.triangles.rows(), 12);
  double least = 1e300, most = -1e300, swing = 0;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) {
    least = std::min(least, r.total()), most = std::max(most, r.total());
    swing = std::max(swing, r.kinetic);
  };
  EXPECT_EQ(run(simulation, listener).status, RunStatus::finished);
  ASSERT_GT(swing, 10);
  EXPECT_LT(most - least, 1e-6 * swing);  // rk4 at 2 ms
}

TEST(BoneScene, says_what_is_wrong) {
  EXPECT_EQ(refused_bones({}), "");
  expect_words(refused_bones({"bones.lower.parent=uper"}), "did you mean \"upper\"");
  expect_words(refused_bones({"bones.upper.parent=lower"}), "without loops");
  expect_words(refused_bones({"bones.upper.joint.axis=[0,0,0]"}), "bone \"upper\": axis = [0, 0, 0]");
  expect_words(refused_bones({"bones.upper.density=0"}), "bones.upper.density = 0: expected a number > 0");
  expect_words(refused_bones({"bones.upper.inertia=[1e-9,1e-9,1e-9]"}), "inertia is too small");
  expect_words(refused_bones({"bones.upper.inertia=[1,1,9]"}), "moments of inertia");
  expect_words(refused_bones({"bones.upper.to=[0,0,0]"}), "bones.upper: from and to are the same point");
  expect_words(refused_bones({"bones.upper.joint.upper=1"}), "come in two");
  expect_words(refused_bones({"bones.upper.joint.torque=1", "bones.upper.joint.torque_over_time=[[1,0],[0,1]]"}),
              "later");
  expect_words(refused_bones({"bones.upper.joint.kind=hinge"}), "revolute");
  expect_words(refused_bones({"integrator.name=bdf2"}), "not for bones");
  expect_words(refused_bones({"damping.alpha=1"}), "damping: bones have none");
  expect_words(refused_bones({"initial.velocity=[1,0,0]"}), "initial: bones have none");
  expect_words(refused_bones({"bones.upper.tissue=skin"}), "there is no \"mesh\"");
  expect_words(refused_bones({R"(obstacles=[{"shape": "half-space", "friction": 0.3}])"}),
              "obstacles[0].friction: bones slide");
  expect_words(refused_bones({R"(condensation={"nodes": {"choose": "farthest", "count": 1}})"}),
              "condensation: bones have none");
}

TEST(BoneScene, obstacles_stop_bones) {
  const Scene scene = parse_scene(R"({
    "bones": {"ball": {"shape": "sphere", "radius": 0.1, "center": [0, 0.2, 0], "joint": {"kind": "free", "anchor": [0, 0.2, 0]}}},
    "obstacles": [{"shape": "half-space", "normal": [0, 1, 0], "point": [0, 0, 0]}],
    "integrator": {"name": "im", "h": 0.001}, "steps": 400
  })",
                                  "scene.json", scene_tables());
  Simulation simulation = build_simulation(scene);
  double lowest = 1, total = 0, kinetic = 0, first = 0;
  RunListener listener;
  listener.on_frame = [&](const RunFrame& frame) { lowest = std::min(lowest, frame.x.col(1).minCoeff()); };
  listener.on_step = [&](const StepRecord& r) {
    if (r.step == 0) first = r.total();
    total = r.total();
    kinetic = std::max(kinetic, r.kinetic);
  };
  EXPECT_EQ(run(simulation, listener).status, RunStatus::finished);
  EXPECT_LT(lowest, 0);      // it touched
  EXPECT_GT(lowest, -0.05);  // and was stopped
  EXPECT_NEAR(total, first, 0.05 * kinetic);
}

constexpr const char* kMuscle = R"({
  "mesh": {"generate": "bar", "length": 0.24, "width": 0.04, "height": 0.04, "cells_across": 2, "tets_per_cell": "6"},
  "materials": [{"law": "stable-neo-hookean", "E": 3e4, "nu": 0.45, "rho": 1060,
    "graded": {"axis": "x", "from": 0.16, "to": 0.24, "factor_to": 20},
    "fiber": {"law": "fiber-fung", "kappa": 3e4, "direction": [1, 0, 0],
              "active": {"stress": 3e4, "activation": [[0, 0], [0.1, 1]]}}}],
  "sets": {"left": {"select": "extreme", "axis": "x", "side": "min"}, "right": {"select": "extreme", "axis": "x", "side": "max"}},
  "constraints": [{"set": "left"}], "gravity": [0, 0, 0], "damping": {"alpha": 5},
  "integrator": {"name": "si", "h": 0.005}, "steps": 120, "output": {"probe": "right"}
})";

TEST(MuscleScene, shortens_and_the_soft_part_more_than_the_tendon) {
  Simulation simulation = build_simulation(parse_scene(kMuscle, "scene.json", scene_tables()));
  StepRecord last;
  MatrixX3d x;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) { last = r; };
  listener.on_frame = [&](const RunFrame& frame) { x = frame.x; };
  EXPECT_EQ(run(simulation, listener).status, RunStatus::finished);
  EXPECT_LT(last.probe[0], 0.22);
  EXPECT_GT(last.injected, 0);
  const auto stretch_between = [&](double from, double to) {  // of the mean places of two cross-sections
    const auto mean = [&](double at) {
      double sum = 0;
      int n = 0;
      for (Index v = 0; v < x.rows(); ++v)
        if (std::fabs(simulation.bodies[0].mesh.X(v, 0) - at) < 1e-6) sum += x(v, 0), ++n;
      return sum / n;
    };
    return (mean(to) - mean(from)) / (to - from);
  };
  EXPECT_LT(stretch_between(0.04, 0.12), 0.85);
  EXPECT_GT(stretch_between(0.20, 0.24), 0.93);
}

TEST(MuscleScene, says_what_is_wrong) {
  const auto said = [](const std::string& override) {
    try {
      build_simulation(parse_scene(kMuscle, "scene.json", scene_tables(), {override}));
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  expect_words(said("materials[0].fiber.active.activation=[[0,2]]"), "not between 0 and 1");
  expect_words(said("materials[0].fiber.active.activation=[]"), "at least one pair");
  expect_words(said("materials[0].fiber.active.activation=[[1,0],[1,1]]"), "must be later");
  expect_words(said("materials[0].graded.to=0.16"), "they must differ");
  expect_words(said("materials[0].graded.factor_to=0"), "expected a number > 0");
}

/// A muscle across a joint that is active all the time: nothing from outside acts on it.
constexpr const char* kLimb = R"({
  "mesh": {"generate": "box", "size": [0.32, 0.04, 0.04], "cells": [8, 1, 1], "transform": {"translate": [0.04, 0.03, -0.02]}},
  "materials": [{"law": "stable-neo-hookean", "E": 3e4, "nu": 0.45, "rho": 1060,
    "graded": {"axis": "x", "from": 0.28, "to": 0.36, "factor_to": 10},
    "fiber": {"law": "fiber-fung", "kappa": 3e4, "direction": [1, 0, 0], "active": {"stress": 3e4, "activation": [[0, 1]]}}}],
  "sets": {"origin": {"select": "box", "min": [0, 0, -1], "max": [0.061, 1, 1]},
           "insertion": {"select": "box", "min": [0.339, 0, -1], "max": [1, 1, 1]},
           "middle": {"select": "nearest", "point": [0.2, 0.03, 0]}},
  "bones": {
    "upper": {"shape": "capsule", "from": [0, 0, 0], "to": [0.28, 0, 0], "radius": 0.02, "tissue": "origin"},
    "lower": {"shape": "capsule", "from": [0.32, 0, 0], "to": [0.58, 0, 0], "radius": 0.018, "parent": "upper",
              "tissue": "insertion", "joint": {"kind": "revolute", "anchor": [0.3, 0, 0]}}},
  "gravity": [0, 0, 0],
  "condensation": {"nodes": {"choose": "set", "set": "middle"}, "quasistatic": "newton"},
  "integrator": {"name": "im", "h": 0.0005}, "duration": 0.15
})";

TEST(CondensedLimbScene, energy_of_bones_and_muscle_closes) {
  struct Books {
    double gap = 0, kinetic = 0, dissipated = 0;
  };
  const auto books_of = [](const std::string& h) {
    Simulation simulation = build_simulation(parse_scene(kLimb, "scene.json", scene_tables(), {"integrator.h=" + h}));
    EXPECT_EQ(simulation.dynamic_nodes.size(), 1u);
    double first = 0;
    Books books;
    RunListener listener;
    listener.on_step = [&](const StepRecord& r) {
      if (r.step == 0) first = r.total();
      books.kinetic = std::max(books.kinetic, r.kinetic);
      books.gap = std::max(books.gap, std::fabs(r.total() + r.dissipated - r.injected - first));
      books.dissipated = r.dissipated;
    };
    EXPECT_EQ(run(simulation, listener).status, RunStatus::finished);
    return books;
  };
  const Books fine = books_of("0.0005"), coarse = books_of("0.001");
  ASSERT_GT(fine.kinetic, 0.5);  // [J]: the muscle throws the lower bone
  // Second order within a step; what the turning of J takes between steps is booked, and is of first order.
  EXPECT_LT(fine.gap, 1e-4 * fine.kinetic);
  EXPECT_LT(fine.gap, 0.5 * coarse.gap);
  EXPECT_LT(fine.dissipated, 2e-3 * fine.kinetic);
  EXPECT_LT(fine.dissipated, 0.6 * coarse.dissipated);
}

TEST(CondensedLimbScene, says_what_is_wrong) {
  const auto said = [](const std::string& override) {
    try {
      build_simulation(parse_scene(kLimb, "scene.json", scene_tables(), {override}));
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  expect_words(said("condensation.nodes.set=origin"), "cannot be a dynamic node, for a constraint or a bone leads it");
  expect_words(said(R"(condensation.nodes={"choose": "modes", "count": 2})"), "choose \"farthest\"");
  expect_words(said("integrator.name=bdf2"), "bdf2");
  EXPECT_EQ(said(R"(condensation.nodes={"choose": "farthest", "count": 3})"), "");
  EXPECT_EQ(said(R"(condensation.nodes={"choose": "indices", "indices": []})"), "");
  expect_words(said(R"(obstacles=[{"shape": "half-space", "tangential": 0.1, "motion": {"name": "fixed"}}])"),
              "obstacles[0].tangential: only for an obstacle that stands still");
}

}  // namespace
}  // namespace brio::testing

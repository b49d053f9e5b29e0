#pragma once
// Scenes whose bodies touch, and an independent look at what they do.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace brio {

inline Simulation touching_scene(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_simulation(parse_scene(text, "scene.json", scene_tables(), overrides));
}

/// Two cubes of 10 cm, 2 cm apart, that fly at each other off their centers; nothing else is in the world.
inline constexpr const char* kFlyingCubes = R"({
  "bodies": {
    "left": {"mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
             "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
             "initial": {"velocity": [1, 0, 0], "angular_velocity": [0, 2, 1]}},
    "right": {"instance_of": "left", "initial": {"velocity": [-1, 0, 0]},
              "transform": {"translate": [0.12, 0.03, 0.02]}}},
  "gravity": [0, 0, 0], "contact": {"friction": 0.3},
  "integrator": {"name": "si", "h": 0.005}, "steps": 40})";

/// Three cubes, one above the other, that fall a little onto a floor and onto each other.
inline constexpr const char* kSmallStack = R"({
  "bodies": {"cube": {"mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
                      "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
                      "transform": {"translate": [0, 0.01, 0]},
                      "copies": {"count": [1, 3, 1], "spacing": [0.01, 0.12, 0.01]}}},
  "obstacles": [{"shape": "half-space", "friction": 0.5}], "contact": {"friction": 0.5},
  "integrator": {"name": "si", "h": 0.01}, "duration": 2})";

/// An independent look at all edges and all triangles: how many edges pass through triangles that they do not belong to.
inline int crossings(const MatrixX3i& triangles, const MatrixX3d& x) {
  const auto at = [&](int v) -> Vec3 { return x.row(v); };
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return (b - a).cross(c - a).dot(d - a);
  };
  int found = 0;
  for (Index e = 0; e < triangles.rows(); ++e)
    for (int k = 0; k < 3; ++k) {
      const int i = triangles(e, k), j = triangles(e, (k + 1) % 3);
      const Vec3 a = at(i), b = at(j);
      for (Index t = 0; t < triangles.rows(); ++t) {
        const int p = triangles(t, 0), q = triangles(t, 1), r = triangles(t, 2);
        if (i == p || i == q || i == r || j == p || j == q || j == r) continue;
        const Vec3 u = at(p), v = at(q), w = at(r);
        // Edges in the plane of the triangle, as on the side of a cube, are on either side of it by round-off.
        const double above = volume(u, v, w, a), below = volume(u, v, w, b);
        const double round_off = 1e-12 * (b - a).norm() * (v - u).norm() * (w - u).norm();
        if (above * below >= 0 || std::max(std::fabs(above), std::fabs(below)) < round_off) continue;
        const double s = volume(a, b, u, v);
        if (s * volume(a, b, v, w) > 0 && s * volume(a, b, w, u) > 0) ++found;
      }
    }
  return found;
}

/// The same with obstacles of triangles where they are at the time of the frame; their own crossings do not count.
inline int crossings_with_obstacles(const Simulation& simulation, const RunFrame& frame) {
  MatrixX3i triangles = simulation.triangles;
  MatrixX3d x = frame.x;
  int own = 0;
  for (const SceneObstacle& obstacle : simulation.obstacles) {
    if (!obstacle.drawing.surface) continue;
    MatrixX3d led = obstacle.drawing.surface->X;
    const Pose pose = obstacle.motion->pose(frame.time);
    for (Index v = 0; v < led.rows(); ++v) led.row(v) = pose.position(led.row(v).transpose()).transpose();
    own += crossings(obstacle.drawing.surface->triangles, led);
    const Index first = x.rows(), faces = triangles.rows();
    x.conservativeResize(first + led.rows(), 3);
    x.bottomRows(led.rows()) = led;
    triangles.conservativeResize(faces + obstacle.drawing.surface->faces(), 3);
    triangles.bottomRows(obstacle.drawing.surface->faces()) =
        obstacle.drawing.surface->triangles.array() + static_cast<int>(first);
  }
  return crossings(triangles, x) - own;
}

/// What a run leaves to look at.
struct Trace {
  RunResult result;
  std::vector<StepRecord> steps;
  int crossings = 0;
  MatrixX3d x;
};

inline Trace traced(Simulation& simulation, bool look_for_crossings = true) {
  Trace trace;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) { trace.steps.push_back(record); };
  listener.on_frame = [&](const RunFrame& frame) {
    trace.x = frame.x;
    if (look_for_crossings) trace.crossings += crossings_with_obstacles(simulation, frame);
  };
  simulation.every = 1;
  trace.result = run(simulation, listener);
  return trace;
}

inline int most_contacts(const Trace& trace) {
  int most = 0;
  for (const StepRecord& step : trace.steps) most = std::max(most, step.report.contacts);
  return most;
}

/// A run ends with the same bits for any number of threads.
inline void expect_same_bits_for_any_threads(const std::string& scene, const std::vector<std::string>& overrides) {
  VectorXd first;
  for (int threads : {1, 2, 5}) {
    set_thread_count(threads);
    Simulation simulation = touching_scene(scene, overrides);
    traced(simulation, false);
    if (threads == 1) first = simulation.state.q;
    EXPECT_EQ(simulation.state.q, first) << threads;
  }
  set_thread_count(0);
}

/// What only saves time (pairs that are kept, distances that are known) changes nothing: 40 steps have the bits of 25 and,
/// with all that is new but the state, 15 more.
inline void expect_same_bits_from_copied_state(const std::string& scene) {
  Simulation whole = touching_scene(scene), copied = touching_scene(scene);
  for (int i = 0; i < 40; ++i) {
    if (i == 25) {
      Simulation second = touching_scene(scene);
      second.state = copied.state;
      std::swap(copied, second);
    }
    whole.integrator->step(whole.state, whole.h);
    copied.integrator->step(copied.state, copied.h);
    ASSERT_EQ(whole.state.q, copied.state.q) << i;
    ASSERT_EQ(whole.state.v, copied.state.v) << i;
  }
}

inline std::string refusal(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    touching_scene(text, overrides);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace brio

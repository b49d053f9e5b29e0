#pragma once
// Live sessions of small bars, and the messages that a page would send to them.

#include "brio/core/error.hpp"
#include "brio/live/session.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {

/// Explicit methods need short steps.
inline double step_for(const std::string& integrator) { return integrator == "se" ? 0.001 : 0.01; }

inline std::string bar_scene(const std::string& integrator, const std::string& more = "", double scale = 1) {
  return fmt::format(R"({{
    "name": "Bar",
    "mesh": {{"generate": "bar", "length": {}, "width": {}, "height": {}, "cells_across": 2}},
    "materials": [{{"region": "all", "law": "stable-neo-hookean", "E": 2e5, "nu": 0.4, "rho": 1000}}],
    "integrator": {{"name": "{}", "h": {}}}, "steps": 100{}}})",
                     0.4 * scale, 0.1 * scale, 0.1 * scale, integrator, step_for(integrator) * std::sqrt(scale), more);
}

inline const std::string kWall = R"(, "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
    "constraints": [{"set": "wall", "motion": "fixed"}])";
inline const std::string kWeightless = R"(, "gravity": [0, 0, 0])";

inline Session session_of(std::vector<std::string> texts) {
  std::vector<Session::Source> sources;
  for (const std::string& text : texts) sources.push_back({text, "scene.json", fmt::format("run {}", sources.size())});
  return Session(sources);
}

inline Message message(const std::string& text) { return parse_message(text); }

/// The drawn vertex that is furthest along x.
inline int tip_of(const LiveRun& run) {
  const MatrixX3d x = run.drawn().rows(run.stepper().x());
  Index row = 0;
  x.col(0).maxCoeff(&row);
  return static_cast<int>(row);
}

inline Vec3 place_of(const LiveRun& run, int drawn) { return run.drawn().rows(run.stepper().x()).row(drawn); }

inline Message grab_at(int vertex, const Vec3& target, int run = 0) {
  return message(fmt::format(R"({{"do": "grab", "run": {}, "vertices": [{}], "weights": [1], "target": [{}, {}, {}]}})",
                             run, vertex, target[0], target[1], target[2]));
}

inline Message move_to(const Vec3& target) {
  return message(fmt::format(R"({{"do": "move", "target": [{}, {}, {}]}})", target[0], target[1], target[2]));
}

inline Message set_of(const Session& session, const std::string& path, const std::string& value, int run = 0) {
  const std::vector<Parameter>& all = session.parameters(run);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].path == path)
      return message(fmt::format(R"({{"do": "set", "run": {}, "index": {}, "value": {}}})", run, i, value));
  ADD_FAILURE() << "there is no parameter " << path;
  return {};
}

inline void take_steps(Session& session, int count) {
  for (int i = 0; i < count; ++i) session.step();
}

inline const StepRecord& now(const Session& session, int number = 0) { return session.runs()[number]->stepper().now(); }

}  // namespace brio

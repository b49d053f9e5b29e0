// The "condensation" section of real scenes: nodes chosen, nodes refused, pieces completed, warnings.

#include "brio/scene/condensation.hpp"

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/warnings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/integrators.hpp"
#include <set>

namespace brio {
namespace {

/// A bar of 9 x 3 x 3 vertices, 0.4 m long, held at x = 0 or falling.
Scene bar_scene(const std::string& condensation, bool held = true, const std::vector<std::string>& overrides = {}) {
  const std::string text = fmt::format(R"({{
    "mesh": {{"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2], "tets_per_cell": "6"}},
    "materials": [{{"law": "stable-neo-hookean", "E": 2e5, "nu": 0.4, "rho": 1000}}],
    "sets": {{"end": {{"select": "extreme", "axis": "x", "side": "min"}},
              "tip": {{"select": "nearest", "point": [0.4, 0, 0]}}}},
    {}
    "condensation": {},
    "integrator": {{"name": "si", "h": 0.01}}, "steps": 20}})",
                                       held ? R"("constraints": [{"set": "end"}],)" : "", condensation);
  return parse_scene(text, "bar.json", scene_tables(), overrides);
}

Simulation built_condensed(const std::string& condensation, bool held = true, const std::vector<std::string>& overrides = {}) {
  return build_simulation(bar_scene(condensation, held, overrides));
}

std::string complaint(const std::string& condensation, const std::vector<std::string>& overrides = {}) {
  try {
    built_condensed(condensation, true, overrides);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  for (const std::string& line : lines)
    if (line.find(text) != line.npos) return true;
  return false;
}

TEST(Condensation, nodes_far_from_supports_and_from_each_other) {
  const Simulation s = built_condensed(R"({"nodes": {"choose": "farthest", "count": 3}})");
  ASSERT_EQ(s.dynamic_nodes.size(), 3u);
  EXPECT_NEAR(s.bodies[0].mesh.X(s.dynamic_nodes[0], 0), 0.4, 1e-12);
  const Simulation apart = built_condensed(R"({"nodes": {"choose": "farthest", "count": 50, "distance": 0.15}})");
  ASSERT_GE(apart.dynamic_nodes.size(), 2u);
  ASSERT_LT(apart.dynamic_nodes.size(), 50u);
  EXPECT_TRUE(mentions(apart.notes, "nodes instead of 50"));
  for (int a : apart.dynamic_nodes)
    for (int b : apart.dynamic_nodes)
      if (a != b) {
        EXPECT_GE((apart.bodies[0].mesh.X.row(a) - apart.bodies[0].mesh.X.row(b)).norm(), 0.15);
      }
}

TEST(Condensation, nodes_along_the_modes_begin_at_the_tip) {
  const Simulation s = built_condensed(R"({"nodes": {"choose": "modes", "count": 3}})");
  ASSERT_EQ(s.dynamic_nodes.size(), 3u);
  EXPECT_NEAR(s.bodies[0].mesh.X(s.dynamic_nodes[0], 0), 0.4, 1e-12);
  EXPECT_EQ(std::set<int>(s.dynamic_nodes.begin(), s.dynamic_nodes.end()).size(), 3u);
}

TEST(Condensation, nodes_by_set_and_by_number) {
  const Simulation tip = built_condensed(R"({"nodes": {"choose": "set", "set": "tip"}})");
  EXPECT_EQ(tip.dynamic_nodes, tip.sets.at("tip"));
  const Simulation numbered = built_condensed(R"({"nodes": {"choose": "indices", "indices": [7, 80]}})");
  EXPECT_EQ(numbered.dynamic_nodes, (std::vector<int>{7, 80}));
  EXPECT_TRUE(built_condensed(R"({"nodes": {"choose": "indices", "indices": []}})").dynamic_nodes.empty());
}

TEST(Condensation, what_cannot_be_is_refused_by_name) {
  EXPECT_NE(complaint(R"({"nodes": {"choose": "set", "set": "end"}})").find("a constraint or a bone leads it"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"nodes": {"choose": "indices", "indices": [80, 7, 80]}})").find("vertex 80 is chosen twice"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"nodes": {"choose": "indices", "indices": [1000]}})").find("there is no vertex 1000"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"nodes": {"choose": "set", "set": "tips"}})").find("condensation.nodes.set"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"gamma": 0.5})").find("condensation.nodes: missing key"), std::string::npos);
  for (const char* name : {"bdf2", "genalpha"})
    EXPECT_NE(complaint(R"({"nodes": {"choose": "set", "set": "tip"}})", {fmt::format("integrator.name={}", name)})
                  .find("it remembers past steps"),
              std::string::npos);
}

TEST(Condensation, free_pieces_get_what_they_need) {
  Simulation s = built_condensed(R"({"nodes": {"choose": "set", "set": "tip"}})", false);
  EXPECT_EQ(s.dynamic_nodes.size(), 3u);
  EXPECT_TRUE(mentions(s.notes, "three dynamic nodes that are not in a line"));
  const RunResult result = run(s, {});
  EXPECT_EQ(result.status, RunStatus::finished) << result.message;
  EXPECT_EQ(result.shifts, 0);
}

TEST(Condensation, close_nodes_are_worth_a_warning) {
  const auto warnings = [](const std::string& condensation) {
    const Scene scene = bar_scene(condensation);
    return scene_warnings(scene, build_simulation(scene));
  };
  EXPECT_TRUE(mentions(warnings(R"({"nodes": {"choose": "indices", "indices": [79, 80]}})"), "m apart"));
  EXPECT_FALSE(mentions(warnings(R"({"nodes": {"choose": "indices", "indices": [20, 80]}})"), "m apart"));
  EXPECT_FALSE(mentions(warnings(R"({"nodes": {"choose": "set", "set": "tip"}})"), "nothing uses this set"));
}

TEST(Condensation, a_run_keeps_honest_books) {
  Simulation s = built_condensed(R"({"nodes": {"choose": "set", "set": "tip"}, "initial": false})");
  StepRecord start, last;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) { (r.step == 0 ? start : last) = r; };
  const RunResult result = run(s, listener);
  ASSERT_EQ(result.status, RunStatus::finished) << result.message;
  EXPECT_EQ(testing::extra(result, "dynamic_nodes"), 1);
  EXPECT_GT(last.dissipated, 0);
  // The method may lose energy, but makes none.
  EXPECT_LT(last.total(), start.total() + last.injected - last.dissipated + 1e-9);
}

TEST(Condensation, adaptive_nodes_are_counted_and_need_tetrahedra) {
  Simulation s = built_condensed(
      R"({"nodes": {"choose": "farthest", "count": 2}, "initial": false, "adaptive": {"threshold": 0.02, "window": 3}})");
  EXPECT_EQ(s.adaptive_nodes.size(), 2u);
  const RunResult result = run(s, {});
  EXPECT_EQ(result.status, RunStatus::finished) << result.message;
  EXPECT_GE(testing::extra(result, "switches"), 1);
  const std::string cloth = R"({
    "mesh": {"springs": "cloth", "width": 1, "nx": 5, "ny": 5},
    "springs": {"stiffness": 100, "total_mass": 0.2},
    "sets": {"corner": {"select": "nearest", "point": [0, 0, 0]}}, "constraints": [{"set": "corner"}],
    "condensation": {"nodes": {"choose": "indices", "indices": [24]}, "adaptive": {}},
    "integrator": {"name": "si", "h": 0.01}, "steps": 5})";
  EXPECT_THROW(build_simulation(parse_scene(cloth, "cloth.json", scene_tables())), Error);
}

TEST(Condensation, the_paper_s_bar_is_as_large_as_it_was) {
  const Scene scene = load_scene(BRIO_SOURCE_DIR "/scenes/conjac-twist.json", scene_tables());
  const Simulation s = build_simulation(scene);
  EXPECT_EQ(s.vertices(), 1029);
  EXPECT_EQ(s.elements(), 4320);
  EXPECT_EQ(s.dynamic_nodes.size(), 1u);
}

}  // namespace
}  // namespace brio

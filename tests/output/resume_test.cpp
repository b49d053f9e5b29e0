// A run that is broken off and goes on leaves the same files as one that is not, to the last bit, timings apart.

#include "brio/output/run_output.hpp"
#include "brio/output/scene_tables.hpp"

#include "output/files.hpp"
#include <regex>

namespace brio::testing {
namespace {

struct BrokenOff {};  ///< thrown in the place of a signal that cannot be caught

constexpr const char* kSwingingBar = R"({
  "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1, "tets_per_cell": "6"},
  "materials": [{"law": "corotated", "E": 1e5, "nu": 0.3, "rho": 1000}],
  "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}, "tip": {"select": "extreme", "axis": "x", "side": "max"}},
  "constraints": [{"set": "wall"}], "damping": {"alpha": 0.1, "beta": 1e-4},
  "integrator": {"name": "si", "h": 0.0005}, "steps": 11, "output": {"every": 2, "probe": "tip"}})";

constexpr const char* kMuscledArm = R"({
  "mesh": {"generate": "bar", "length": 0.1, "width": 0.02, "height": 0.02, "cells_across": 1, "transform": {"translate": [0.01, -0.03, 0]}},
  "materials": [{"law": "stable-neo-hookean", "E": 3e4, "nu": 0.4, "rho": 1060,
    "fiber": {"law": "fiber-fung", "kappa": 3e4, "direction": [1, 0, 0],
              "active": {"stress": 3e4, "activation": [[0, 0], [0.02, 1]]}}}],
  "sets": {"origin": {"select": "extreme", "axis": "x", "side": "min"}, "insertion": {"select": "extreme", "axis": "x", "side": "max"}},
  "bones": {
    "upper": {"shape": "capsule", "from": [0, 0, 0], "to": [0, -0.1, 0], "radius": 0.006, "tissue": "origin",
              "joint": {"kind": "revolute", "anchor": [0, 0, 0], "axis": [0, 0, 1]}},
    "lower": {"shape": "capsule", "from": [0.004, -0.106, 0], "to": [0.095, -0.106, 0], "radius": 0.005, "parent": "upper", "tissue": "insertion",
              "joint": {"kind": "revolute", "anchor": [0, -0.106, 0], "axis": [0, 0, 1]}}},
  "integrator": {"name": "si", "h": 0.002}, "steps": 11, "output": {"every": 2}})";

const char* const kStack = R"({
  "bodies": {"low": {"mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
                     "materials": [{"law": "stable-neo-hookean", "E": 5e4, "nu": 0.4, "rho": 1000}]},
             "high": {"mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2],
                               "transform": {"translate": [0.013, 0.1005, 0.007]}},
                      "materials": [{"law": "stable-neo-hookean", "E": 5e4, "nu": 0.4, "rho": 1000}],
                      "initial": {"velocity": [0.2, -0.5, 0]}}},
  "obstacles": [{"shape": "half-space", "point": [0, -0.0005, 0], "friction": 0.5}], "contact": {"friction": 0.5},
  "integrator": {"name": "si", "h": 0.005}, "steps": 11, "output": {"every": 2}})";

struct Run {
  std::string name, text;
  std::vector<std::string> set;
};

std::vector<Run> runs() {
  std::vector<Run> all;
  for (const IntegratorEntry& row : integrators())
    all.push_back({row.name, kSwingingBar, {"integrator.name=" + row.name}});
  const std::string fall = "constraints=[]", hit = "initial.velocity=[1,-2,0]",
                    floor = R"(obstacles=[{"shape": "half-space", "point": [0, -0.001, 0], "friction": 0.4}])";
  for (const char* name : {"glim", "si", "lim", "be", "im", "siere", "ksiere", "ere", "stabilized"}) {
    const std::string method = std::string("integrator.name=") + name;
    all.push_back({std::string(name) + "_contact", kSwingingBar, {fall, hit, floor, method, "integrator.h=0.002"}});
    all.push_back(
        {std::string(name) + "_free", kSwingingBar, {fall, "initial.angular_velocity=[3,9,4]", method, "damping={}"}});
  }
  const auto cut = [](const char* frame) {
    return fmt::format(
        R"(cuts=[{{"time": 0.002, "kind": "plane", "point": [0.19, 0, 0], "normal": [1, 0.3, 0], "frame": "{}"}}])",
        frame);
  };
  const std::string late = R"(cuts=[{"time": 0.0045, "kind": "plane", "point": [0.19, 0, 0], "normal": [1, 0.3, 0]}])";
  for (const char* name : {"glim", "siere", "ksiere", "bdf2"}) {
    const std::string method = std::string("integrator.name=") + name;
    all.push_back({std::string(name) + "_cut", kSwingingBar, {cut("rest"), method}});
    all.push_back({std::string(name) + "_cut_where_it_is", kSwingingBar, {cut("current"), method}});
    all.push_back({std::string(name) + "_cut_later", kSwingingBar, {late, method}});
  }
  all.push_back(
      {"moving_support",
       kSwingingBar,
       {R"(constraints=[{"set": "wall", "motion": "oscillate", "amplitude": [0, 0.02, 0], "frequency": 20}])"}});
  for (const char* solver :
       {"minimize", "newton-cg", "quasi-newton", "projective", "chebyshev", "lbfgs", "rest-hessian", "frame-hessian"})
    all.push_back({std::string("be_by_") + solver,
                   kSwingingBar,
                   {"integrator.name=be", std::string("integrator.solver=") + solver}});
  constexpr const char* kLarger = "mesh.cells_across=3";  // reuse factors the smallest bodies anew each time
  for (const char* name : {"si", "glim", "be", "im", "newmark", "siere", "stabilized"})
    for (const char* engine : {"reuse", "iterative"})
      all.push_back({fmt::format("{}_with_{}", name, engine),
                     kSwingingBar,
                     {fmt::format("integrator.name={}", name), fmt::format("integrator.engine={}", engine), kLarger}});
  all.push_back({"cut_with_reuse", kSwingingBar, {late, "integrator.engine=reuse", kLarger}});
  all.push_back({"condensed", kSwingingBar, {R"(condensation={"nodes": {"choose": "farthest", "count": 3}})"}});
  all.push_back(
      {"adaptive",
       kSwingingBar,
       {R"(condensation={"nodes": {"choose": "farthest", "count": 3}, "initial": false, "adaptive": {"threshold": 0.02, "window": 3}})"}});
  all.push_back(
      {"adaptive_cut",
       kSwingingBar,
       {cut("rest"),
        R"(condensation={"nodes": {"choose": "farthest", "count": 3}, "initial": false, "adaptive": {"threshold": 0.02, "window": 3}})"}});
  for (const char* name : {"si", "glim", "be", "ere"})
    all.push_back({std::string(name) + "_stack", kStack, {std::string("integrator.name=") + name}});
  all.push_back({"bones", kMuscledArm, {}});
  all.push_back({"bones_im", kMuscledArm, {"integrator.name=im"}});
  all.push_back({"bones_condensed", kMuscledArm, {R"(condensation={"nodes": {"choose": "farthest", "count": 3}})"}});
  all.push_back(
      {"cloth",
       R"({"mesh": {"springs": "cloth", "width": 1, "nx": 5, "ny": 5}, "springs": {"stiffness": 100, "total_mass": 0.2},
      "sets": {"corner": {"select": "nearest", "point": [0, 0, 0]}}, "constraints": [{"set": "corner"}],
      "integrator": {"name": "glim", "h": 0.01}, "steps": 11, "output": {"every": 2}})",
       {}});
  return all;
}

/// What is the same in every run: no timings, no memory.
std::string without_timings(const std::string& name, std::string text) {
  if (name.ends_with("energy.csv")) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> cells;
      std::istringstream in(line);
      for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
      if (cells.size() > 16) cells[16] = "";  // step_ms
      for (const std::string& cell : cells) kept += cell + ",";
      kept += "\n";
    }
    return kept;
  }
  if (name.ends_with("report.html")) {
    const size_t from = text.find("\"summary\":"), to = text.find("\"series\":");
    return text.erase(from, to - from);
  }
  if (name.ends_with("summary.json")) {
    text = std::regex_replace(text, std::regex(R"((in [0-9.e+-]+ ms))"), "");
    // Another process has to factor again what is factored once for a run.
    for (const char* key : {"factorizations", "wall_s", "median", "p95", "max", "assembly", "factor", "solve", "other",
                            "bookkeeping", "peak_rss_mb"})
      text = std::regex_replace(text, std::regex(fmt::format("\"{}\": [0-9.e+-]+", key)), "");
  }
  return text;
}

std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      const std::string name = std::filesystem::relative(entry.path(), folder).string();
      files[name] = without_timings(name, contents(entry.path()));
    }
  return files;
}

/// Where a run is broken off.
struct Break {
  int stored = 0;         ///< the step after which it is stored; 0: never
  int killed = 1 << 20;   ///< the step at which it is gone
  int stopped = 1 << 20;  ///< the step after which it ends properly, and is stored
};

/// Carries a run out, or goes on with one; returns what was stored last.
std::string carry_out(const Scene& scene, const std::filesystem::path& folder, const std::vector<std::string>& formats,
                      const Break& end, std::string stored = "") {
  Simulation simulation = build_simulation(scene);
  std::optional<RunOutput> output;
  if (stored.empty())
    output.emplace(folder, scene, simulation, formats);
  else
    output.emplace(RunOutput::GoesOn{}, folder, scene, simulation, formats);
  std::string kept;
  int step = 0;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    step = record.step;
    output->on_step(record);
  };
  listener.on_frame = [&](const RunFrame& frame) {
    output->on_frame(frame);
    if (step >= end.killed) throw BrokenOff();
  };
  listener.on_cut = [&](const CutReport& cut) {
    if (cut.changed) output->on_cut();
  };
  listener.stop = [&] { return step >= end.stopped; };
  listener.archive = [&](Archive& archive) { output->archive(archive); };
  listener.checkpoint_due = [&](int step) { return step == end.stored; };
  listener.on_checkpoint = [&](const StepRecord&, const std::string& bytes) { kept = bytes; };
  try {
    const RunResult result =
        stored.empty() ? run(simulation, listener) : resume(simulation, listener, std::move(stored));
    output->finish(result);
  } catch (const BrokenOff&) {
  }
  return kept;
}

void expect_same_files(const std::filesystem::path& one, const std::filesystem::path& other) {
  const auto expected = files_of(one), found = files_of(other);
  for (const auto& [name, text] : expected) EXPECT_TRUE(found.contains(name)) << name;
  for (const auto& [name, text] : found) {
    ASSERT_TRUE(expected.contains(name)) << name;
    const std::string& other_text = expected.at(name);
    const size_t at =
        std::mismatch(text.begin(), text.end(), other_text.begin(), other_text.end()).first - text.begin();
    EXPECT_TRUE(text == other_text) << name << " differs at byte " << at << " of " << text.size() << " and "
                                    << other_text.size() << ": "
                                    << (name.ends_with("csv") || name.ends_with("json")
                                            ? text.substr(at, 60) + " / " + other_text.substr(at, 60)
                                            : "");
  }
}

class Resume : public ::testing::TestWithParam<Run> {};

TEST_P(Resume, equals_the_unbroken_run) {
  const Scene scene = parse_scene(GetParam().text, "scene.json", scene_tables(), GetParam().set);
  TemporaryFolder whole, broken;
  carry_out(scene, whole.path(), {}, {});
  const std::string stored = carry_out(scene, broken.path(), {}, {.stored = 5, .killed = 8});
  ASSERT_FALSE(stored.empty());
  carry_out(scene, broken.path(), {}, {}, stored);
  expect_same_files(whole.path(), broken.path());
}

INSTANTIATE_TEST_SUITE_P(Runs, Resume, ::testing::ValuesIn(runs()),
                         [](const auto& run) { return std::regex_replace(run.param.name, std::regex("-"), "_"); });

/// Frames of every format: where the process was killed after the checkpoint, where it ended properly, and between
/// cuts.
TEST(ResumeFrames, of_every_format_go_on_without_a_seam) {
  const std::vector<std::string> formats = names_of(frame_formats());
  const std::string cut = R"(cuts=[{"time": 0.0035, "kind": "plane", "point": [0.19, 0, 0], "normal": [1, 0.3, 0]}])";
  for (const std::vector<std::string>& set : {std::vector<std::string>{}, {cut}}) {
    const Scene scene = parse_scene(kSwingingBar, "scene.json", scene_tables(), set);
    TemporaryFolder whole;
    carry_out(scene, whole.path(), formats, {});
    for (const Break& end : {Break{.stored = 5, .killed = 8}, Break{.stored = 8, .killed = 10}, Break{.stopped = 5},
                             Break{.stopped = 9}, Break{.stored = 5, .stopped = 11}}) {
      TemporaryFolder broken;
      const std::string stored = carry_out(scene, broken.path(), formats, end);
      ASSERT_FALSE(stored.empty());
      carry_out(scene, broken.path(), formats, {}, stored);
      SCOPED_TRACE(
          fmt::format("stored {} killed {} stopped {} cuts {}", end.stored, end.killed, end.stopped, set.size()));
      expect_same_files(whole.path(), broken.path());
    }
  }
}

/// A finished run goes on when it is given more steps, as if it had been given them at once.
TEST(ResumeFrames, a_finished_run_can_be_made_longer) {
  const std::vector<std::string> formats = names_of(frame_formats());
  const Scene shorter = parse_scene(kSwingingBar, "scene.json", scene_tables(), {"steps=7"});
  const Scene longer = parse_scene(kSwingingBar, "scene.json", scene_tables(), {"steps=12"});
  TemporaryFolder whole, grown;
  carry_out(longer, whole.path(), formats, {});
  const std::string stored = carry_out(shorter, grown.path(), formats, {});
  carry_out(longer, grown.path(), formats, {}, stored);
  expect_same_files(whole.path(), grown.path());
}

}  // namespace
}  // namespace brio::testing

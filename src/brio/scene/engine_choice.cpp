#include "brio/scene/engine_choice.hpp"

#include "brio/core/error.hpp"
#include "brio/core/memory.hpp"
#include "brio/core/ranks.hpp"
#include "brio/scene/scene.hpp"
#include "brio/system/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brio {
namespace {

constexpr const char* kDirect = "direct";

std::string readable_bytes(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", 1e-6 * bytes) : fmt::format("{:.1f} GB", 1e-9 * bytes);
}

bool searches_modes(const Scene& scene) {
  return find_row(integrators(), "integrator", scene.integrator.name).slow_start;
}

/// What is not here, what one process cannot share with others, and options that nobody knows.
void refuse_other_engines(const Scene& scene, const EngineEntry& row) {
  if (!row.missing.empty()) throw Error("integrator.engine = \"{}\": {}", row.name, row.missing);
  if (ranks().several() && !row.over_ranks) {
    std::string able;
    for (const EngineEntry& other : engines())
      if (other.over_ranks) able += fmt::format("{}\"{}\"", able.empty() ? "" : " or ", other.name);
    throw Error(
        "integrator.engine = \"{}\": {} ranks were started, and it works on one; take {}, or start brio without "
        "mpirun",
        row.name, ranks().count(), able);
  }
  if (scene.engine_options.empty()) return;
  if (!row.check_options)
    throw Error("integrator.engine_options = \"{}\": the engine \"{}\" takes none", scene.engine_options, row.name);
  row.check_options(scene.engine_options);
}

/// The engine that is at work, not the one that chooses.
std::string engine_at_work(const Simulation& simulation) {
  const auto& engine = simulation.system->engine();
  if (!engine) return kDirect;
  return engine->name() == kChosenEngine ? choose_engine(*simulation.system->pattern()).name : engine->name();
}

}  // namespace

std::shared_ptr<Engine> engine_of(const Scene& scene) {
  const std::string& name = scene.engine;
  bring_engine(name);
  const EngineEntry& row = find_row(engines(), "engine", name);
  refuse_other_engines(scene, row);
  if (name == kDirect) return nullptr;
  const bool bones =
      std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& b) { return !b.bones.empty(); });
  const MatrixUse use = matrix_use(scene.integrator);
  if (name != kChosenEngine) {
    if (bones)
      throw Error(
          "integrator.engine = \"{}\": bones are solved for together with the tissue, by a factorization; leave the "
          "key out, or take \"direct\"",
          name);
    if (scene.condensation && (name == "iterative" || row.over_ranks))
      throw Error(
          "integrator.engine = \"{}\": a condensed body solves for three columns a node in every step, which "
          "iterations are too slow for; take \"reuse\" or \"direct\"",
          name);
    if (use == MatrixUse::constant)
      throw Error(
          "integrator.engine = \"{}\": {} with this solver factors one constant matrix for all steps, which leaves an "
          "engine nothing to do; take \"direct\", or \"solver\": \"newton\"",
          name, scene.integrator.name);
  }
  if (row.finds_modes) return std::make_shared<Engine>(name, scene.engine_tolerance, scene.engine_options);
  const bool left_alone = scene.condensation && name == kChosenEngine;
  if (bones || left_alone || use != MatrixUse::changing) return nullptr;
  if (name == kChosenEngine && searches_modes(scene)) return std::make_shared<Engine>("reuse", scene.engine_tolerance);
  return std::make_shared<Engine>(name, scene.engine_tolerance, scene.engine_options);
}

void note_engine(Simulation& simulation) {
  const Scene& scene = *simulation.scene;
  if (scene.engine == kDirect) return;
  const auto& engine = simulation.system->engine();
  const bool idle = !engine || (engine->finds_modes() && !ranks().several());  // several ranks share products as well
  if (idle && matrix_use(scene.integrator) == MatrixUse::none)
    simulation.notes.push_back(
        fmt::format("integrator.engine = \"{}\": {} solves with no matrix, the engine has nothing to do", scene.engine,
                    scene.integrator.name));
  else if (!engine)
    simulation.notes.push_back(
        fmt::format("integrator.engine = \"{}\": direct, which is what this scene needs", scene.engine));
  else if (scene.engine == kChosenEngine) {
    const EngineChoice choice = engine->name() == kChosenEngine
                                    ? choose_engine(*simulation.system->pattern())
                                    : EngineChoice{engine->name(), "the method searches modes"};
    simulation.notes.push_back(fmt::format("integrator.engine = \"auto\": {}; {}", choice.name, choice.reason));
  }
}

void refuse_engine_without_memory(const Simulation& simulation) {
  if (matrix_use(simulation.scene->integrator) != MatrixUse::changing) return;
  const BlockPattern& pattern = *simulation.system->pattern();
  const std::string name = engine_at_work(simulation);
  const EngineEntry& row = find_row(engines(), "engine", name);
  const double available = available_memory(), needed = row.needs ? row.needs(pattern).memory : 0;
  if (available <= 0 || needed < available) return;
  std::string other = "a smaller body";
  for (const EngineEntry& candidate : engines())
    if (candidate.needs && candidate.needs(pattern).memory < available)
      other =
          fmt::format("\"engine\": \"{}\" (about {})", candidate.name, readable_bytes(candidate.needs(pattern).memory));
  throw Error(
      "integrator.engine = \"{}\": matrices of {} free vertices take about {} with it, and {} are left on this "
      "machine; take {}",
      name, pattern.blocks_per_side, readable_bytes(needed), readable_bytes(available), other);
}

std::vector<std::string> describe_engines(const BlockPattern& pattern) {
  const EngineChoice choice = choose_engine(pattern);
  if (choice.name == kDirect) return {};  // a small body, which any of them serves
  std::vector<std::string> lines;
  for (const EngineEntry& row : engines()) {
    if (!row.needs) continue;
    const EngineNeeds needs = row.needs(pattern);
    lines.push_back(fmt::format("engine {}: about {} and {:.2g} s a step on one core", row.name,
                                readable_bytes(needs.memory), needs.seconds));
  }
  lines.push_back(fmt::format("engine auto: {}; {}", choice.name, choice.reason));
  return lines;
}

}  // namespace brio

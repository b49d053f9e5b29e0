#pragma once
// Runs the first steps of a scene with the program and reads what they leave: the physical columns of energy.csv, as
// the digits that stand there, and the last positions, with all their bits.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "support/temporary_folder.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace brio::testing {

/// How many steps of a scene are run, unless a rule says fewer or the scene has fewer itself.
constexpr int kGoldenSteps = 20;

/// Results do not depend on it (tests/apps, tests/integrate), but one number for all leaves nothing to argue about.
constexpr int kGoldenThreads = 2;

/// Scenes that are not simply run for their first 20 steps.
struct GoldenRule {
  const char* scene;
  int steps;
  const char* settings;  ///< arguments of `brio run`
};

// All scenes together are to stay below 90 s on two cores: those that take 20 s and more for 20 steps have three, those
// that take 8 to 16 s have eight. The cut bars are cut after 100 and 180 steps; here the knife comes after 5 and 10, so
// that it comes at all. Bodies of a million tetrahedra have a few thousand.
constexpr const char* kEarlyCuts = "--set cuts[0].time=0.025 --set cuts[1].time=0.05";
constexpr std::array kGoldenRules = {
    GoldenRule{"bar-1m", 20, "--set mesh.cells_across=6"},
    GoldenRule{"dragon-1m", 20, "--set mesh.vertices=2500"},
    GoldenRule{"bar-98k", 3, ""},
    GoldenRule{"bar-cut", 20, kEarlyCuts},
    GoldenRule{"conjac-barcut", 20, kEarlyCuts},
    GoldenRule{"conjac-barcut-vanilla", 20, kEarlyCuts},
    GoldenRule{"conjac-dragon", 8, ""},
    GoldenRule{"quasi-newton-squirrel-fine", 3, ""},
    GoldenRule{"siere-bridge", 3, ""},
    GoldenRule{"siere-human-body", 3, ""},
    GoldenRule{"siere-tower", 8, ""},
    GoldenRule{"siere-tree", 8, ""},
    GoldenRule{"stabilized-dog-nose", 8, ""},
    GoldenRule{"stabilized-pendulum-bunny", 8, ""},
};

/// The columns of energy.csv that say what the bodies do. The others tell what it cost.
constexpr std::array kGoldenColumns = {"step",  "time",     "kinetic",    "elastic",   "gravity", "contact",
                                       "total", "injected", "dissipated", "px",        "py",      "pz",
                                       "lx",    "ly",       "lz",         "min_det_f", "blend"};

using TextRow = std::vector<std::string>;

struct GoldenResult {
  std::string problem;            ///< why there is no result, or empty
  std::vector<TextRow> energies;  ///< per step from 0 on, one text per column
  std::vector<double> positions;  ///< x, y, z of one vertex after another [m]
};

inline TextRow split(const std::string& line) {
  TextRow cells;
  std::string::size_type begin = 0;
  for (std::string::size_type end; (end = line.find(',', begin)) != std::string::npos; begin = end + 1) {
    cells.push_back(line.substr(begin, end - begin));
  }
  cells.push_back(line.substr(begin));
  return cells;
}

/// The columns are found by their names: others may come, and stand anywhere.
inline std::vector<TextRow> read_energies(const std::filesystem::path& file) {
  std::istringstream lines(read_text(file));
  std::string line;
  std::getline(lines, line);
  const TextRow head = split(line);
  std::vector<size_t> places;
  for (const char* name : kGoldenColumns) {
    const auto found = std::find(head.begin(), head.end(), name);
    if (found == head.end()) throw std::runtime_error(fmt::format("energy.csv has no column {}", name));
    places.push_back(static_cast<size_t>(found - head.begin()));
  }
  std::vector<TextRow> rows;
  while (std::getline(lines, line)) {
    const TextRow cells = split(line);
    TextRow& row = rows.emplace_back();
    for (size_t place : places) row.push_back(cells.at(place));
  }
  return rows;
}

/// The first array of the newest VTU file: after the underscore its length in bytes, then the numbers. (It is the one
/// format with double precision whose files go on in the same folder after a cut.)
inline std::vector<double> read_last_positions(const std::filesystem::path& folder) {
  std::filesystem::path last;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".vtu") last = std::max(last, entry.path());
  }
  const std::string bytes = read_text(last), mark = "<AppendedData encoding=\"raw\">\n_";
  const size_t begin = bytes.find(mark) + mark.size();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + begin, sizeof(length));
  std::vector<double> positions(length / sizeof(double));
  std::memcpy(positions.data(), bytes.data() + begin + sizeof(length), length);
  return positions;
}

inline nlohmann::json read_scene(const std::string& scene) {
  return nlohmann::json::parse(read_text(kScenes + scene + ".json"));
}

inline int golden_steps(const std::string& scene, const nlohmann::json& json) {
  int steps = kGoldenSteps;
  for (const GoldenRule& rule : kGoldenRules) {
    if (scene == rule.scene) steps = rule.steps;
  }
  const double h = json.at("integrator").at("h");
  return std::min(steps, json.contains("steps") ? json["steps"].get<int>()
                                                : static_cast<int>(std::lround(json.at("duration").get<double>() / h)));
}

/// Runs the scene for its golden steps; `settings` are further arguments.
inline GoldenResult run_golden(const std::string& scene, const std::string& settings = "") {
  const TemporaryFolder folder;
  // Only the first and the last frame are written.
  std::string arguments =
      fmt::format("run '{}{}.json' -o '{}' --steps {} --threads {} --frames vtu --set output.every=1000", kScenes,
                  scene, folder.path().string(), golden_steps(scene, read_scene(scene)), kGoldenThreads);
  for (const GoldenRule& rule : kGoldenRules) {
    if (scene == rule.scene) arguments += fmt::format(" {}", rule.settings);
  }
  const Outcome outcome = brio(arguments + " " + settings);
  if (outcome.code != 0)
    return {fmt::format("brio {} ends with {}:\n{}", arguments, outcome.code, outcome.err), {}, {}};
  return {"", read_energies(folder / "energy.csv"), read_last_positions(folder / "vtu")};
}

}  // namespace brio::testing

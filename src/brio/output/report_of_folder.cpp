#include "brio/output/report_of_folder.hpp"

#include "brio/core/error.hpp"
#include "brio/core/folder_lock.hpp"
#include "brio/core/method_text.hpp"
#include "brio/core/text_file.hpp"
#include "brio/output/checkpoint.hpp"
#include "brio/output/run_output.hpp"
#include "brio/output/scene_tables.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <sstream>

namespace brio {
namespace fs = std::filesystem;
namespace {

/// The lines of energy.csv after a step. A line that is not whole is left out.
std::vector<StepRecord> energies_after(const fs::path& file, int step) {
  std::vector<StepRecord> records;
  if (!fs::exists(file)) return records;
  std::istringstream lines(read_text(file));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = split_text(line, ',');
  const std::vector<Extra> curves = declared_curves();
  while (std::getline(lines, line) && !lines.eof()) {
    std::vector<std::string> cells;
    for (size_t from = 0; from <= line.size();) {
      const size_t to = std::min(line.find(',', from), line.size());
      cells.push_back(line.substr(from, to - from));
      from = to + 1;
    }
    if (cells.size() != names.size()) continue;
    std::map<std::string, double> value;
    for (size_t i = 0; i < names.size(); ++i)
      if (!cells[i].empty()) value[names[i]] = std::strtod(cells[i].c_str(), nullptr);
    if (value["step"] <= step) continue;
    StepRecord& r = records.emplace_back();
    r.step = static_cast<int>(value["step"]);
    r.time = value["time"];
    r.kinetic = value["kinetic"];
    r.potentials = {value["elastic"], value["gravity"], value["contact"]};
    r.injected = value["injected"];
    r.dissipated = value["dissipated"];
    r.momentum = {{value["px"], value["py"], value["pz"]}, {value["lx"], value["ly"], value["lz"]}};
    for (const Extra& curve : curves)
      if (const auto found = value.find(std::string(curve.name)); found != value.end())
        if (const Extra* declared = find_declared_extra(curve.name)) r.report.extras.set(*declared, found->second);
  }
  return records;
}

bool is_locked(const fs::path& folder) {
  try {
    const FolderLock lock(folder);
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

std::string write_report_of_folder(const fs::path& folder) {
  StoredRun stored = newest_checkpoint(folder);
  const Scene scene = parse_scene(stored.identity.scene, stored.identity.scene_file, scene_tables());
  Simulation simulation = build_simulation(scene);
  const RunIdentity identity = RunIdentity::of(simulation, stored.identity.version);
  refuse_other_run(folder, stored.identity, identity);
  RunOutput output(RunOutput::GoesOn{}, folder, scene, simulation, {});

  // No step is taken: only what is stored comes back.
  const int steps = simulation.steps;
  RunListener listener;
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  listener.on_cut = [&](const CutReport& cut) {
    if (cut.changed) output.on_cut();
  };
  listener.archive = [&](Archive& archive) { output.archive_page(archive); };
  simulation.steps = stored.step;
  const bool any = !stored.stored.empty();
  RunResult result = any ? resume(simulation, listener, std::move(stored.stored)) : run(simulation, listener);
  const bool complete = result.steps == steps;
  for (const StepRecord& record : energies_after(folder / "energy.csv", any ? result.steps : -1)) {
    output.add_energies(record);
    result.steps = record.step;
    result.final_energy = record.total();
    result.max_energy = std::max(result.max_energy, record.total());
  }
  if (!complete) {
    result.status = RunStatus::interrupted;
    result.message = is_locked(folder)
                         ? fmt::format("the run is still going on: step {} of {}", result.steps, steps)
                         : fmt::format("broken off after step {} of {}; `brio resume {}` goes on from step {}",
                                       result.steps, steps, folder.string(), stored.step);
  }
  output.write_page(summarize(simulation, result));
  return complete ? fmt::format("all {} steps", steps) : result.message;
}

}  // namespace brio

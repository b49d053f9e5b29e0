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

using Row = std::map<std::string, double>;

/// The lines of a table after a step, by the names of its columns; cells that are empty are left out. So is a line that is
/// not whole.
std::vector<Row> rows_after(const fs::path& file, int step) {
  std::vector<Row> rows;
  if (!fs::exists(file)) return rows;
  std::istringstream lines(read_text(file));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = split_text(line, ',');
  while (std::getline(lines, line) && !lines.eof()) {
    std::vector<std::string> cells;
    for (size_t from = 0; from <= line.size();) {
      const size_t to = std::min(line.find(',', from), line.size());
      cells.push_back(line.substr(from, to - from));
      from = to + 1;
    }
    if (cells.size() != names.size()) continue;
    Row value;
    for (size_t i = 0; i < names.size(); ++i)
      if (!cells[i].empty()) value[names[i]] = std::strtod(cells[i].c_str(), nullptr);
    if (value["step"] > step) rows.push_back(std::move(value));
  }
  return rows;
}

/// What energy.csv and contacts.csv have after a step.
std::vector<StepRecord> records_after(const fs::path& folder, int step) {
  std::vector<StepRecord> records;
  const std::vector<Extra> curves = declared_curves();
  std::map<int, Row> contacts;
  for (Row& row : rows_after(folder / "contacts.csv", step)) {
    const int at = static_cast<int>(row["step"]);
    contacts[at] = std::move(row);
  }
  for (Row& value : rows_after(folder / "energy.csv", step)) {
    StepRecord& r = records.emplace_back();
    r.step = static_cast<int>(value["step"]);
    r.time = value["time"];
    r.kinetic = value["kinetic"];
    r.potentials = {value["elastic"], value["gravity"], value["contact"]};
    r.injected = value["injected"];
    r.dissipated = value["dissipated"];
    r.momentum = {{value["px"], value["py"], value["pz"]}, {value["lx"], value["ly"], value["lz"]}};
    Row& touching = contacts[r.step];
    r.report.contacts = static_cast<int>(touching["contacts"]);
    r.report.smallest_gap = touching["smallest_gap"];
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
  for (const StepRecord& record : records_after(folder, any ? result.steps : -1)) {
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

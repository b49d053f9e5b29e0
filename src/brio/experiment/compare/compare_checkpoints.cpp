#include "brio/experiment/compare/compare_checkpoints.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

constexpr const char* kFolder = "compare_runs";

}  // namespace

CompareCheckpoints::CompareCheckpoints(const ComparePlan& plan, std::filesystem::path folder, std::string version)
    : plan_(plan), folder_(std::move(folder)), version_(std::move(version)) {}

void CompareCheckpoints::forget() const {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / kFolder, none)) forget_run(entry.path());
}

void CompareCheckpoints::find_stored() {
  const auto find = [&](const PlannedRun& run) {
    const std::filesystem::path folder = folder_of(run);
    if (!has_run(folder)) return;
    StoredRun stored = newest_checkpoint(folder);
    refuse_other_run(folder, stored.identity, {version_, run.scene.file, run.scene.text, stored.identity.bodies});
    if (stored.step > run.scene.steps)
      throw Error("{}: the run is at step {} already, beyond the {} steps asked for", folder.string(), stored.step,
                  run.scene.steps);
    if (!stored.stored.empty()) stored_[&run] = std::move(stored);
  };
  if (plan_.reference) find(*plan_.reference);
  for (const PlannedRun& run : plan_.runs) find(run);
}

std::map<std::string, int> CompareCheckpoints::stored_steps() const {
  std::map<std::string, int> steps;
  for (const auto& [run, stored] : stored_) steps[run->label] = stored.step;
  return steps;
}

std::string CompareCheckpoints::begin(const PlannedRun& run, const Simulation& simulation) {
  const RunIdentity identity = RunIdentity::of(simulation, version_);
  const auto found = stored_.find(&run);
  const bool goes_on = found != stored_.end();
  if (goes_on) refuse_other_run(folder_of(run), found->second.identity, identity);
  const Checkpoints& checkpoints =
      begun_.insert_or_assign(&run, Checkpoints(create_folder(folder_of(run)), identity)).first->second;
  checkpoints.begin(!goes_on);
  return goes_on ? std::move(found->second.stored) : "";
}

void CompareCheckpoints::write(const PlannedRun& run, int step, double time, const std::string& bytes) const {
  begun_.at(&run).write(step, time, bytes);
  if (step == run.scene.steps) begun_.at(&run).end();
}

std::filesystem::path CompareCheckpoints::folder_of(const PlannedRun& run) const {
  if (plan_.reference && &run == &*plan_.reference) return folder_ / kFolder / "reference";
  return folder_ / kFolder / fmt::format("{}", &run - plan_.runs.data());
}

}  // namespace brio

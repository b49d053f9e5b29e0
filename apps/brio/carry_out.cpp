#include "carry_out.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/folder_lock.hpp"
#include "brio/core/log.hpp"
#include "brio/output/checkpoint.hpp"
#include "brio/output/progress.hpp"
#include "brio/output/run_output.hpp"
#include "brio/scene/run.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "scene_arguments.hpp"
#include <chrono>
#include <iostream>
#include <unistd.h>

namespace brio {
namespace {

void print_end(const std::string& folder, const Scene& scene, const RunSummary& summary) {
  fmt::print("{}: {} step{}, {:g} s simulated in {}; a step takes {}\n", summary.status, summary.steps,
             summary.steps == 1 ? "" : "s", summary.steps * scene.h, readable_seconds(summary.wall_s),
             readable_seconds(1e-3 * summary.step_ms_median));
  for (const std::string& cut : summary.cuts) fmt::print("{}\n", cut);
  if (!summary.shares.empty()) fmt::print("{}\n", remarks(summary.shares));
  fmt::print("open {}/report.html in a browser to see it move\n", folder);
  std::string others = "energy.csv, summary.json";
  if (!scene.bodies.front().name.empty()) others += ", bodies.csv";
  if (scene.contact) others += ", contacts.csv";
  if (scene.output.probe) others += ", probe.csv";
  if (!scene.constraints.empty() || !scene.attachments.empty() || !scene.obstacles.empty()) others += ", reactions.csv";
  for (const std::string& format : scene.output.frames) others += fmt::format(", {}/", format);
  fmt::print("also in {}: {}\n", folder, others);
}

int exit_code(RunStatus status) {
  return status == RunStatus::diverged ? kDiverged : status == RunStatus::interrupted ? kInterrupted : kOk;
}

/// The stored run, or nothing where it has only begun.
std::optional<StoredRun> stored_run(const std::string& folder, const RunIdentity& identity, int steps) {
  if (!has_run(folder)) {
    fmt::print("{}: no run there yet; from the beginning\n", folder);
    return {};
  }
  StoredRun stored = newest_checkpoint(folder);
  refuse_other_run(folder, stored.identity, identity);
  if (stored.stored.empty()) {
    if (std::filesystem::exists(std::filesystem::path(folder) / "summary.json"))
      throw Error("{}: the run has ended, and no checkpoint was kept to go on from; `brio run` begins anew", folder);
    fmt::print("{}: no checkpoint yet; from the beginning\n", folder);
    return {};
  }
  if (stored.step > steps)
    throw Error("{}: the run is at step {} already, beyond the {} steps asked for", folder, stored.step, steps);
  fmt::print("{}: on from step {} of {} ({:g} s)\n", folder, stored.step, steps, stored.time);
  return stored;
}

}  // namespace

int carry_out(const Scene& scene, const std::string& folder, const CheckpointInterval& interval, bool go_on) {
  Simulation simulation = build_simulation(scene);
  for (const std::string& note : simulation.notes) log_warning(note);
  create_folder(folder);
  const FolderLock lock(folder);
  const RunIdentity identity = RunIdentity::of(simulation, BRIO_VERSION);
  std::optional<StoredRun> stored = go_on ? stored_run(folder, identity, scene.steps) : std::nullopt;
  const Checkpoints checkpoints(folder, identity);
  checkpoints.begin(!stored);
  std::optional<RunOutput> output;
  if (stored)
    output.emplace(RunOutput::GoesOn{}, folder, scene, simulation, scene.output.frames);
  else
    output.emplace(folder, scene, simulation, scene.output.frames);
  fmt::print("{}: {}\n", scene.name, describe(scene, simulation));
  std::fflush(stdout);

  const int first = stored ? stored->step : 0;
  Progress progress(std::cerr, terminal_width(STDERR_FILENO), scene.steps, "", first);
  const auto start = std::chrono::steady_clock::now();
  CheckpointClock clock(interval);
  int steps = first, safe = first;  // taken, and stored
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    steps = record.step;
    output->on_step(record);
    progress.update(record.step, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  listener.on_frame = [&](const RunFrame& frame) { output->on_frame(frame); };
  listener.on_cut = [&](const CutReport& cut) {
    if (!cut.changed) return;
    for (const std::string& note : simulation.notes) log_warning(note);
    output->on_cut();
  };
  listener.stop = InterruptGuard::requested;
  listener.archive = [&](Archive& archive) { output->archive(archive); };
  if (!interval.never()) {
    listener.checkpoint_due = [&](int step) { return clock.due(step); };
    listener.on_checkpoint = [&](const StepRecord& record, const std::string& bytes) {
      checkpoints.write(record.step, record.time, bytes);
      safe = record.step;
    };
  }
  try {
    const RunResult result =
        stored ? resume(simulation, listener, std::move(stored->stored)) : run(simulation, listener);
    progress.finish();
    print_end(folder, scene, output->finish(result));
    checkpoints.end();
    if (result.status == RunStatus::diverged) fmt::print(stderr, "brio: diverged: {}\n", result.message);
    if (result.status == RunStatus::doubtful) fmt::print(stderr, "brio: doubtful: {}\n", result.message);
    if (result.status == RunStatus::interrupted) {
      fmt::print(stderr, "brio: {}\n", result.message);
      if (listener.checkpoint_due) fmt::print(stderr, "brio: `brio resume {}` goes on from there\n", folder);
    }
    return exit_code(result.status);
  } catch (const WriteError& error) {
    progress.finish();
    fmt::print("stopped: {} of {} steps, {:g} s simulated; results cannot be written\n", steps, scene.steps,
               steps * scene.h);
    const std::string from = safe > 0 ? fmt::format("step {}", safe) : "the beginning";
    throw WriteError("{}\nmake room and go on from {} with: brio resume {}", error.what(), from, folder);
  }
}

}  // namespace brio

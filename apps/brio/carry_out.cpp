#include "carry_out.hpp"

#include "brio/core/file.hpp"
#include "brio/core/log.hpp"
#include "brio/core/ranks.hpp"
#include "brio/output/piece_output.hpp"
#include "brio/output/progress.hpp"
#include "brio/output/run_folder.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "rescue.hpp"
#include "scene_arguments.hpp"
#include "start_ranks.hpp"
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
  if (scene.contact) others += ", contacts.csv, contact_pairs.csv";
  if (scene.output.probe) others += ", probe.csv";
  if (!scene.constraints.empty() || !scene.attachments.empty() || !scene.obstacles.empty()) others += ", reactions.csv";
  for (const std::string& format : scene.output.frames) others += fmt::format(", {}/", format);
  fmt::print("also in {}: {}\n", folder, others);
}

int exit_code(RunStatus status) {
  return status == RunStatus::diverged ? kDiverged : status == RunStatus::interrupted ? kInterrupted : kOk;
}

/// The stored run, or nothing where it has only begun.
std::optional<StoredRun> stored_run(const RunFolder& run, const std::string& folder, int steps) {
  std::optional<StoredRun> stored = run.find_stored();
  if (stored)
    fmt::print("{}: on from step {} of {} ({:g} s)\n", folder, stored->step, steps, stored->time);
  else
    fmt::print("{}: no {} yet; from the beginning\n", folder, has_run(folder) ? "checkpoint" : "run there");
  return stored;
}

/// All ranks end after the step in which the first was asked to.
bool stop_on_all_ranks() { return first_rank_says(InterruptGuard::requested()); }

/// What the other ranks do while the first runs the scene and writes it down.
int take_part(const std::string& folder, Simulation& simulation) {
  std::string stored;
  on_all_ranks([] {});
  ranks().broadcast(stored);
  PieceOutput output(folder, simulation);
  RunListener listener;
  listener.stop = stop_on_all_ranks;
  listener.on_step = [&](const StepRecord& record) { output.on_step(record); };
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  listener.on_cut = [&](const CutReport& cut) {
    if (cut.changed) output.on_cut();
  };
  const RunResult result = stored.empty() ? run(simulation, listener) : resume(simulation, listener, stored);
  return exit_code(result.status);
}

}  // namespace

int carry_out(const Scene& scene, const std::string& folder, const CheckpointInterval& interval, bool go_on) {
  Simulation simulation = build_simulation(scene);
  for (const std::string& note : simulation.notes) log_warning(note);
  if (!ranks().writes()) return take_part(folder, simulation);
  std::optional<RunFolder> opened;
  std::optional<StoredRun> stored;
  on_all_ranks([&] {
    opened.emplace(folder, scene, simulation, BRIO_VERSION);
    if (go_on) stored = stored_run(*opened, folder, scene.steps);
  });
  RunFolder& run = *opened;
  std::string bytes = stored ? stored->stored : "";
  ranks().broadcast(bytes);
  fmt::print("{}: {}\n", scene.name, describe(scene, simulation));
  std::fflush(stdout);

  const int first = stored ? stored->step : 0;
  Progress progress(std::cerr, terminal_width(STDERR_FILENO), scene.steps, "", first);
  const auto start = std::chrono::steady_clock::now();
  CheckpointClock clock(interval);
  int steps = first;  // taken
  RunFolder::Caller caller;
  caller.on_step = [&](const StepRecord& record) {
    steps = record.step;
    progress.update(record.step, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  caller.stop = stop_on_all_ranks;
  if (!interval.never()) caller.checkpoint_due = [&](int step) { return clock.due(step); };
  KeepClock keeping;
  std::optional<Rescue> rescue;
  if (ranks().several() && caller.checkpoint_due) {
    caller.keep_due = [&](int) { return keeping.due(); };
    caller.on_kept = [&] { keeping.kept(); };
    rescue.emplace([&] {
      report(fmt::format("asked to end, or a rank has died; the run is stored as it was after step {}\n`brio resume {}` "
                         "goes on from there, on any number of ranks",
                         run.write_kept(), folder),
             kInterrupted);
    });
  }
  try {
    const RunResult result = run.run(caller, std::move(stored));
    rescue.reset();
    progress.finish();
    print_end(folder, scene, run.summary());
    if (result.status == RunStatus::diverged) fmt::print(stderr, "brio: diverged: {}\n", result.message);
    if (result.status == RunStatus::doubtful) fmt::print(stderr, "brio: doubtful: {}\n", result.message);
    if (result.status == RunStatus::interrupted) {
      fmt::print(stderr, "brio: {}\n", result.message);
      if (caller.checkpoint_due) fmt::print(stderr, "brio: `brio resume {}` goes on from there\n", folder);
    }
    return exit_code(result.status);
  } catch (const WriteError& error) {
    progress.finish();
    fmt::print("stopped: {} of {} steps, {:g} s simulated; results cannot be written\n", steps, scene.steps,
               steps * scene.h);
    const std::string from = run.stored_step() > 0 ? fmt::format("step {}", run.stored_step()) : "the beginning";
    throw WriteError("{}\nmake room and go on from {} with: brio resume {}", error.what(), from, folder);
  }
}

}  // namespace brio

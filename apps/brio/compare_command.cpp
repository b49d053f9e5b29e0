#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/folder_lock.hpp"
#include "brio/core/join.hpp"
#include "brio/core/log.hpp"
#include "brio/core/parallel.hpp"
#include "brio/experiment/compare/compare_checkpoints.hpp"
#include "brio/experiment/compare/compare_output.hpp"
#include "brio/output/scene_tables.hpp"

#include <fmt/format.h>

#include "checkpoint_interval.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "progress_of_runs.hpp"
#include "scene_arguments.hpp"
#include <memory>
#include <optional>

namespace brio {
namespace {

struct CompareArguments {
  SceneArguments scene;
  std::vector<std::string> more_scenes;
  std::string folder = "out";
  std::string integrators, reference;
  std::optional<int> steps;
  std::string interval = "30s";
  bool resume = false;
  int threads = 0;

  ComparePlan plan() const {
    std::vector<std::string> set = scene.overrides();
    if (steps) set.push_back(fmt::format("steps={}", *steps));
    if (more_scenes.empty()) {
      if (integrators.empty())
        throw Error("name several integrators, --integrators si,be, or several scenes: one run is nothing to compare");
      return plan_comparison(scene.file, scene_tables(), set, integrators, reference);
    }
    if (!reference.empty())
      throw Error("--reference: errors are measured between runs of one scene; leave it out or name one scene");
    std::vector<std::filesystem::path> files = {scene.file};
    files.insert(files.end(), more_scenes.begin(), more_scenes.end());
    return plan_comparison(files, scene_tables(), set, integrators);
  }
};

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : std::string("–");
}

void print_row(const ComparedRun& run, size_t width) {
  const RunSummary& s = run.summary;
  fmt::print("  {:{}}  {:11}  {} step{}, {} each, {} per simulated second\n", run.plan->label, width, s.status, s.steps,
             s.steps == 1 ? "" : "s", readable_seconds(1e-3 * s.step_ms_median), readable_seconds(run.metrics.cost));
  std::fflush(stdout);
  if (s.status != "finished") fmt::print(stderr, "brio: {} {}: {}\n", run.plan->label, s.status, s.message);
}

void print_reference_end(const ComparedRun& reference) {
  if (reference.has_results()) return;
  fmt::print(stderr, "brio: the errors against the reference are left out, for it has {}; try a smaller step for it\n",
             reference.summary.status);
}

/// Known only when all runs are: the level from which the energy counts is that of all of them.
void print_energy_kept(const Comparison& comparison) {
  std::vector<std::string> shares;
  for (const ComparedRun& run : comparison.runs)
    shares.push_back(fmt::format("{} {}", run.plan->label, percent(run.metrics.energy_kept)));
  fmt::print("energy kept: {}\n", joined(shares, ", "));
}

size_t label_width(const ComparePlan& plan) {
  size_t width = plan.reference ? plan.reference->label.size() : 0;
  for (const PlannedRun& run : plan.runs) width = std::max(width, run.label.size());
  return width;
}

int run_comparison(const CompareArguments& arguments) {
  set_thread_count(arguments.threads);
  const InterruptGuard guard;
  const ComparePlan plan = arguments.plan();
  std::optional<FolderLock> lock;
  std::optional<CompareOutput> output;
  const CheckpointInterval interval = CheckpointInterval::parse(arguments.interval);
  CheckpointClock clock(interval);
  CompareCheckpoints checkpoints(plan, arguments.folder, BRIO_VERSION);
  if (arguments.resume) checkpoints.find_stored();
  ProgressOfRuns progress;
  CompareListener listener;
  listener.on_begin = [&](const PlannedRun& run, const Simulation& simulation) {
    if (!output) {  // not before the scene has proved to be one
      lock.emplace(create_folder(arguments.folder));
      if (!arguments.resume) checkpoints.forget();
      output.emplace(arguments.folder, checkpoints.stored_steps());
      for (const std::string& note : simulation.notes) log_warning(note);
      fmt::print("{}: {}\n", plan.runs.front().scene.name, describe_body(simulation));
      std::fflush(stdout);
    }
    progress.begin(run.scene.steps, run.label);
  };
  listener.on_step = [&](const PlannedRun& run, const StepRecord& record) {
    output->on_step(run, record);
    progress.update(record.step);
  };
  listener.on_end = [&](const ComparedRun& run, const Comparison& comparison) {
    progress.end();
    output->write(plan, comparison);
    print_row(run, label_width(plan));
    if (comparison.reference && &run == &*comparison.reference) print_reference_end(run);
  };
  listener.stop = InterruptGuard::requested;
  if (!interval.never()) {
    listener.stored = [&](const PlannedRun& run, const Simulation& simulation) {
      return checkpoints.begin(run, simulation);
    };
    listener.checkpoint_due = [&](int step) { return clock.due(step); };
    listener.on_checkpoint = [&](const PlannedRun& run, const StepRecord& record, const std::string& bytes) {
      checkpoints.write(run, record.step, record.time, bytes);
    };
  }
  const Comparison comparison = compare(plan, listener);

  print_energy_kept(comparison);
  fmt::print("open {}/compare.html in a browser to see them side by side\n", arguments.folder);
  fmt::print("also in {}: compare.json, compare.csv, compare_series.csv\n", arguments.folder);
  if (comparison.interrupted && !interval.never())
    fmt::print(stderr, "brio: interrupted; the same command with --resume goes on from there\n");
  return comparison.interrupted ? kInterrupted : comparison.any_failed() ? kUnexpected : kOk;
}

}  // namespace

void add_compare(CommandLine& app, Command& command) {
  CommandLine* compare_app =
      app.add_subcommand("compare", "run a scene with several integrators, or several scenes, side by side");
  auto arguments = std::make_shared<CompareArguments>();
  arguments->scene.add_to(*compare_app);
  compare_app->add_option("more", arguments->more_scenes, "further scenes, to be shown beside it")
      ->type_name("MORE.json");
  compare_app
      ->add_option("--integrators", arguments->integrators,
                   "the methods, each with options of its own and perhaps a step, for example "
                   "si,newmark:gamma=0.6:beta=0.3,be:h=0.005; see `brio list integrators`. Several scenes may do "
                   "without: each is then run with its own")
      ->type_name("a,b:key=value,c");
  compare_app
      ->add_option("--reference", arguments->reference,
                   "a method and a small step to measure errors against, for example rk4@1e-4 or im@0.001")
      ->type_name("NAME@h");
  compare_app
      ->add_option("--steps", arguments->steps,
                   "how many of the scene's steps, in place of the scene's steps or duration")
      ->type_name("N");
  compare_app->add_option("-o,--output", arguments->folder, "folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  add_checkpoint_option(*compare_app, arguments->interval);
  compare_app->add_flag("--resume", arguments->resume,
                        "go on with the same comparison in the folder from its newest checkpoints");
  add_threads_option(*compare_app, arguments->threads);
  compare_app->callback([arguments, &command] { command = [arguments] { return run_comparison(*arguments); }; });
}

}  // namespace brio

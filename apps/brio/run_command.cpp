#include "brio/core/log.hpp"
#include "brio/output/progress.hpp"
#include "brio/output/run_output.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "output_arguments.hpp"
#include "scene_arguments.hpp"
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace brio {
namespace {

struct RunArguments {
  SceneArguments scene;
  OutputArguments output;
  std::optional<std::string> integrator;
  std::optional<int> steps;

  /// The short options are values for the scene like any other.
  void translate() {
    if (integrator) scene.set.push_back("integrator.name=" + *integrator);
    if (steps) scene.set.push_back(fmt::format("steps={}", *steps));
    output.apply(scene);
  }
};

void print_end(const RunArguments& arguments, const Scene& scene, const RunSummary& summary) {
  fmt::print("{}: {} step{}, {:g} s simulated in {}; a step takes {}\n", summary.status, summary.steps,
             summary.steps == 1 ? "" : "s", summary.steps * scene.h, readable_seconds(summary.wall_s),
             readable_seconds(1e-3 * summary.step_ms_median));
  for (const std::string& cut : summary.cuts) fmt::print("{}\n", cut);
  if (!summary.shares.empty()) fmt::print("{}\n", remarks(summary.shares));
  fmt::print("open {}/report.html in a browser to see it move\n", arguments.output.folder);
  std::string others = "energy.csv, summary.json";
  if (!scene.bodies.front().name.empty()) others += ", bodies.csv";
  if (scene.output.probe) others += ", probe.csv";
  for (const std::string& format : scene.output.frames) others += fmt::format(", {}/", format);
  fmt::print("also in {}: {}\n", arguments.output.folder, others);
}

int exit_code(RunStatus status) {
  return status == RunStatus::diverged ? kDiverged : status == RunStatus::interrupted ? kInterrupted : kOk;
}

int run_scene(RunArguments arguments) {
  arguments.translate();
  const InterruptGuard guard;
  const Scene scene = arguments.scene.load();
  Simulation simulation = build_simulation(scene);
  for (const std::string& note : simulation.notes) log_warning(note);
  RunOutput output(arguments.output.folder, scene, simulation, scene.output.frames);
  fmt::print("{}: {}\n", scene.name, describe(scene, simulation));
  std::fflush(stdout);

  Progress progress(std::cerr, terminal_width(STDERR_FILENO), scene.steps);
  const auto start = std::chrono::steady_clock::now();
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    output.on_step(record);
    progress.update(record.step, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  listener.on_cut = [&](const CutReport& cut) {
    if (!cut.changed) return;
    for (const std::string& note : simulation.notes) log_warning(note);
    output.on_cut();
  };
  listener.stop = InterruptGuard::requested;
  const RunResult result = run(simulation, listener);
  progress.finish();

  print_end(arguments, scene, output.finish(result));
  if (result.status == RunStatus::diverged) fmt::print(stderr, "brio: diverged: {}\n", result.message);
  if (result.status == RunStatus::doubtful) fmt::print(stderr, "brio: doubtful: {}\n", result.message);
  if (result.status == RunStatus::interrupted) fmt::print(stderr, "brio: {}\n", result.message);
  return exit_code(result.status);
}

}  // namespace

void add_run(CommandLine& app, Command& command) {
  CommandLine* run_app = app.add_subcommand("run", "simulate a scene and write what happened");
  auto arguments = std::make_shared<RunArguments>();
  arguments->scene.add_to(*run_app);
  arguments->output.add_to(*run_app);
  run_app->add_option("--integrator", arguments->integrator, "another method; see `brio list integrators`")
      ->type_name("NAME");
  run_app->add_option("--steps", arguments->steps, "how many steps, in place of the scene's steps or duration")
      ->type_name("N");
  run_app->callback([arguments, &command] { command = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace brio

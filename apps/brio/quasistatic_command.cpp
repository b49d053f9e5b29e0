#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/folder_lock.hpp"
#include "brio/core/log.hpp"
#include "brio/core/parallel.hpp"
#include "brio/output/progress.hpp"
#include "brio/output/quasistatic_output.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "output_arguments.hpp"
#include "scene_arguments.hpp"
#include <memory>

namespace brio {
namespace {

struct QuasistaticArguments {
  SceneArguments scene;
  OutputArguments output;
  double time = 0;  ///< [s]
  StaticLimits limits;
};

void print_rest(const QuasistaticArguments& arguments, const Scene& scene, const QuasistaticResult& result) {
  const StaticReport& solve = result.solve;
  fmt::print("{}: {} iteration{} in {}; {:.3g} of the load of {:.4g} N is not balanced\n", to_string(solve.status),
             solve.iterations, solve.iterations == 1 ? "" : "s", readable_seconds(result.wall_s), solve.residual,
             solve.load);
  fmt::print("elastic energy {:.6g} J, gravity {:.6g} J, contact {:.6g} J\n", result.potentials.elastic,
             result.potentials.gravity, result.potentials.contact);
  fmt::print("open {}/report.html in a browser to see it settle\n", arguments.output.folder);
  std::string others = "iterations.csv, summary.json";
  for (const std::string& format : scene.output.frames) others += fmt::format(", {}/", format);
  fmt::print("also in {}: {}\n", arguments.output.folder, others);
}

int quasistatic(QuasistaticArguments arguments) {
  arguments.output.apply(arguments.scene);
  const InterruptGuard guard;
  const Scene scene = arguments.scene.load();
  Simulation simulation = build_simulation(scene);
  for (const std::string& note : simulation.notes) log_warning(note);
  fmt::print("{}: {}, at rest at t = {:g} s\n", scene.name, describe_body(simulation), arguments.time);
  std::fflush(stdout);

  create_folder(arguments.output.folder);
  const FolderLock lock(arguments.output.folder);
  QuasistaticOutput output(arguments.output.folder, scene, simulation, arguments.time, arguments.limits,
                           scene.output.frames);
  QuasistaticResult result;
  try {
    result = solve_quasistatic(simulation, arguments.time, arguments.limits, [&](const QuasistaticIterate& now) {
      output.on_iterate(now);
      return !InterruptGuard::requested();
    });
  } catch (const WriteError&) {
    throw;
  } catch (const Error& error) {
    throw Error("{}: {}", arguments.scene.file, error.what());
  }
  output.finish(result);
  print_rest(arguments, scene, result);
  if (!result.message.empty()) fmt::print(stderr, "brio: {}\n", result.message);
  const StaticStatus status = result.solve.status;
  return status == StaticStatus::converged ? kOk : status == StaticStatus::stopped ? kInterrupted : kDiverged;
}

}  // namespace

void add_quasistatic(CommandLine& app, Command& command) {
  CommandLine* static_app = app.add_subcommand("quasistatic", "find the shape in which a scene's body stays at rest");
  auto arguments = std::make_shared<QuasistaticArguments>();
  arguments->scene.add_to(*static_app);
  arguments->output.add_to(*static_app);
  static_app
      ->add_option("--time", arguments->time, "moment [s] at which supports, obstacles and loads are taken as they are")
      ->type_name("T")
      ->number()
      ->capture_default_str();
  static_app
      ->add_option("--tolerance", arguments->limits.tolerance,
                   "part of the load that may stay unbalanced, between 0 and 1")
      ->type_name("X")
      ->range(1e-16, 1.0)
      ->capture_default_str();
  static_app->add_option("--iterations", arguments->limits.iterations, "Newton iterations, at most")
      ->type_name("N")
      ->range(1, 1000000)
      ->capture_default_str();
  static_app->footer(
      "The start is the scene's (\"initial\"); its integrator, steps and damping do not matter. Loads that depend on\n"
      "velocity, such as wind, see a body at rest. Exit code 3: not converged; the message says what to try.");
  static_app->callback([arguments, &command] { command = [arguments] { return quasistatic(*arguments); }; });
}

}  // namespace brio

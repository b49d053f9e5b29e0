#include <fmt/format.h>

#include "carry_out.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "output_arguments.hpp"
#include "scene_arguments.hpp"
#include <memory>
#include <optional>

namespace brio {
namespace {

struct RunArguments {
  SceneArguments scene;
  OutputArguments output;
  std::optional<std::string> integrator;
  std::optional<int> steps;
  std::string interval = "30s";
  bool resume = false;

  /// The short options are values for the scene like any other.
  void translate() {
    if (integrator) scene.set.push_back("integrator.name=" + *integrator);
    if (steps) scene.set.push_back(fmt::format("steps={}", *steps));
    output.apply(scene);
  }
};

int run_scene(RunArguments arguments) {
  arguments.translate();
  const InterruptGuard guard;
  return carry_out(arguments.scene.load(), arguments.output.folder, CheckpointInterval::parse(arguments.interval),
                   arguments.resume);
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
  add_checkpoint_option(*run_app, arguments->interval);
  run_app->add_flag("--resume", arguments->resume,
                    "go on from the newest checkpoint in the folder, which must be one of this scene");
  run_app->callback([arguments, &command] { command = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace brio

#include "carry_out.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "output_arguments.hpp"
#include "scene_arguments.hpp"
#include <memory>

namespace brio {
namespace {

struct RunArguments {
  SceneArguments scene;
  OutputArguments output;
  std::string interval = "30s";
  bool resume = false;
};

int run_scene(RunArguments arguments) {
  arguments.output.apply(arguments.scene);
  const InterruptGuard guard;
  return carry_out(arguments.scene.load(), arguments.output.folder, CheckpointInterval::parse(arguments.interval),
                   arguments.resume);
}

}  // namespace

void add_run(CommandLine& app, Command& command) {
  CommandLine* run_app = app.add_subcommand("run", "simulate a scene and write what happened");
  auto arguments = std::make_shared<RunArguments>();
  arguments->scene.add_to(*run_app);
  arguments->scene.add_method_to(*run_app);
  arguments->output.add_to(*run_app);
  add_checkpoint_option(*run_app, arguments->interval);
  run_app->add_flag("--resume", arguments->resume,
                    "go on from the newest checkpoint in the folder, which must be one of this scene");
  run_app->callback([arguments, &command] { command = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace brio

#include "brio/scene/engine_choice.hpp"
#include "brio/scene/warnings.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include <memory>

namespace brio {
namespace {

int check(const SceneArguments& arguments) {
  const Scene scene = arguments.load();
  const Simulation simulation = build_simulation(scene);
  const std::vector<std::string> warnings = scene_warnings(scene, simulation);
  for (const std::string& warning : warnings) fmt::print("{}: warning: {}\n", arguments.file, warning);
  for (const std::string& body : describe_bodies(simulation)) fmt::print("{}: {}\n", arguments.file, body);
  if (matrix_use(scene.integrator) == MatrixUse::changing)
    for (const std::string& line : describe_engines(*simulation.system->pattern()))
      fmt::print("{}: {}\n", arguments.file, line);
  fmt::print("{}: {}: {}\n", arguments.file, warnings.empty() ? "fine" : "can be run", describe(scene, simulation));
  return kOk;
}

}  // namespace

void add_check(CommandLine& app, Command& command) {
  CommandLine* check_app = app.add_subcommand("check", "say what `run` would refuse, and warn of what looks wrong");
  auto arguments = std::make_shared<SceneArguments>();
  arguments->add_to(*check_app);
  arguments->add_method_to(*check_app);
  check_app->callback([arguments, &command] { command = [arguments] { return check(*arguments); }; });
}

}  // namespace brio

#include "brio/core/file.hpp"
#include "brio/core/parallel.hpp"
#include "brio/experiment/advise/advice_output.hpp"
#include "brio/experiment/advise/apply.hpp"
#include "brio/output/scene_tables.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "progress_of_runs.hpp"
#include "scene_arguments.hpp"
#include <memory>
#include <optional>

namespace brio {
namespace {

struct AdviseArguments {
  SceneArguments scene;
  std::string folder = "out";
  std::optional<std::string> apply;
  double seconds = 20;
  int threads = 0;
};

void print_facts(const Scene& scene, const SceneFacts& facts) {
  fmt::print("{}: {} vertices, {} {}, {:g} s in steps of {:g} s with {}\n", scene.name, facts.vertices, facts.elements,
             facts.element_name, facts.duration, facts.h, facts.integrator);
  for (const std::string& line : describe(facts)) fmt::print("  {}\n", line);
  fmt::print("\n");
  std::fflush(stdout);
}

int advise_scene(const AdviseArguments& arguments) {
  set_thread_count(arguments.threads);
  const InterruptGuard guard;
  if (arguments.apply) refuse_own_file(arguments.scene.file, *arguments.apply);
  const SceneText text = read_scene_text(arguments.scene.file, arguments.scene.overrides());
  ProgressOfRuns progress;
  const Advice advice =
      advise(text, scene_tables(), arguments.seconds, arguments.folder, {progress.listener(), print_facts});
  const std::string json = readable_json(to_json(advice));
  write_whole_file(std::filesystem::path(arguments.folder) / "advice.json",
                   [&](OutputFile& file) { file.write(json); });
  fmt::print("{}", advice_text(advice));
  fmt::print("open {}/compare.html in a browser to see the trials side by side; advice.json is beside it\n",
             arguments.folder);
  if (advice.interrupted) {
    fmt::print(stderr, "brio: interrupted: this is what the trials said until then{}\n",
               arguments.apply ? "; no scene was written" : "");
    return kInterrupted;
  }
  if (!advice.chosen()) {
    if (arguments.apply) fmt::print(stderr, "brio: nothing is recommended, so {} is not written\n", *arguments.apply);
    return kDiverged;
  }
  if (arguments.apply) {
    write_advised_scene(text, scene_tables(), advice, *arguments.apply);
    fmt::print("{} is the scene with it\n", *arguments.apply);
  }
  return kOk;
}

}  // namespace

void add_advise(CommandLine& app, Command& command) {
  CommandLine* advise_app = app.add_subcommand(
      "advise", "look at a scene, try the methods that may suit it, and recommend one with its step");
  auto arguments = std::make_shared<AdviseArguments>();
  arguments->scene.add_to(*advise_app);
  advise_app->add_option("--apply", arguments->apply, "write the scene with the recommendation in it")
      ->type_name("OUT.json");
  advise_app->add_option("--seconds", arguments->seconds, "how long it may take, about")
      ->type_name("S")
      ->range(1.0, 86400.0)
      ->capture_default_str();
  advise_app->add_option("-o,--output", arguments->folder, "folder for the trials and advice.json")
      ->type_name("DIR")
      ->capture_default_str();
  add_threads_option(*advise_app, arguments->threads);
  advise_app->footer(
      "Costs are measured on this machine as it is now: on a busy one give it more seconds. The rule by which the\n"
      "numbers become advice is printed with it.");
  advise_app->callback([arguments, &command] { command = [arguments] { return advise_scene(*arguments); }; });
}

}  // namespace brio

#include "brio/core/parallel.hpp"
#include "brio/core/ranks.hpp"
#include "brio/output/checkpoint.hpp"
#include "brio/output/scene_tables.hpp"

#include <fmt/format.h>

#include "carry_out.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "scene_arguments.hpp"
#include <memory>
#include <optional>

namespace brio {
namespace {

struct ResumeArguments {
  std::string folder;
  std::optional<int> steps;
  std::string interval = "30s";
  int threads = 0;
};

/// The scene is the one that was stored, so that the file may have changed or gone; what it names is read again.
int resume_run(const ResumeArguments& arguments) {
  set_thread_count(arguments.threads);
  const InterruptGuard guard;
  std::vector<std::string> longer;
  if (arguments.steps) longer.push_back(fmt::format("steps={}", *arguments.steps));
  Scene scene;
  on_all_ranks([&] {
    const RunIdentity identity = begun_run(arguments.folder);
    scene = parse_scene(identity.scene, identity.scene_file, scene_tables(), longer);
  });
  make_ready(scene);
  return carry_out(scene, arguments.folder, CheckpointInterval::parse(arguments.interval), true);
}

}  // namespace

void add_resume(CommandLine& app, Command& command) {
  CommandLine* resume_app = app.add_subcommand("resume", "go on with a run that was broken off, or make it longer");
  auto arguments = std::make_shared<ResumeArguments>();
  resume_app->add_option("folder", arguments->folder, "the folder of the run")->type_name("DIR")->required();
  resume_app->add_option("--steps", arguments->steps, "how many steps in all, for a longer run")->type_name("N");
  add_checkpoint_option(*resume_app, arguments->interval);
  add_threads_option(*resume_app, arguments->threads);
  resume_app->callback([arguments, &command] { command = [arguments] { return resume_run(*arguments); }; });
}

}  // namespace brio

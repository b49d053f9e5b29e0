#include "output_arguments.hpp"

#include "brio/core/join.hpp"
#include "brio/core/method_text.hpp"
#include "brio/core/parallel.hpp"

#include <fmt/format.h>

namespace brio {

void OutputArguments::add_to(CommandLine& command) {
  command.add_option("-o,--output", folder, "folder for the results")->type_name("DIR")->capture_default_str();
  add_threads_option(command, threads);
  command.add_option("--frames", frames, "formats of the frames, or none; see `brio list formats`")
      ->type_name("vtu,obj,pc2");
}

void OutputArguments::apply(SceneArguments& scene) const {
  set_thread_count(threads);
  if (!frames) return;
  const std::vector<std::string> names = *frames == "none" ? std::vector<std::string>{} : split_text(*frames, ',');
  scene.set.push_back(names.empty() ? "output.frames=[]"
                                    : fmt::format("output.frames=[\"{}\"]", joined(names, "\",\"")));
}

}  // namespace brio

#pragma once
// The arguments that `run` and `quasistatic` share: where results go, in which formats, on how many threads.

#include "command_line.hpp"
#include "scene_arguments.hpp"
#include <optional>
#include <string>

namespace brio {

struct OutputArguments {
  std::string folder = "out";
  std::optional<std::string> frames;
  int threads = 0;

  void add_to(CommandLine& command);
  /// Sets the number of threads, and puts the formats into the scene's values, where they are checked like any other.
  void apply(SceneArguments& scene) const;
};

}  // namespace brio

#pragma once
// What `run` and `resume` do once the scene is known: simulate it, write what happens, and store it from time to time.

#include "brio/output/checkpoint.hpp"
#include "brio/scene/scene.hpp"

#include "command_line.hpp"
#include <optional>
#include <string>

namespace brio {

/// How often a run is stored.
struct CheckpointInterval {
  static CheckpointInterval parse(const std::string& text);  ///< "200" steps, "30s", "5min", "none"; throws Error

  int steps = 0;       ///< 0: by time
  double seconds = 0;  ///< of wall clock; 0 with no steps: never
};

void add_checkpoint_option(CommandLine& command, std::string& interval);

/// Runs the scene into the folder, from where the stored run ends if there is one. Returns the exit code.
int carry_out(const Scene& scene, const std::string& folder, const CheckpointInterval& interval, bool go_on);

}  // namespace brio

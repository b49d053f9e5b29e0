#pragma once
// What `run` and `resume` do once the scene is known: simulate it, write what happens, and store it from time to time.

#include "brio/scene/scene.hpp"

#include "checkpoint_interval.hpp"
#include <string>

namespace brio {

/// Runs the scene into the folder, from where the stored run ends if there is one. Returns the exit code.
int carry_out(const Scene& scene, const std::string& folder, const CheckpointInterval& interval, bool go_on);

}  // namespace brio

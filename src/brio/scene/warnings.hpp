#pragma once
// Warnings about a scene: valid settings that are probably mistakes. None of them keeps it from running.

#include "brio/scene/simulation.hpp"

#include <string>
#include <vector>

namespace brio {

/// One line each, with the place in the scene file: slivers, a step that is long for the stiffness or the method,
/// elements turned inside out at the start, sets that nothing uses, and what was noted while the scene was built.
std::vector<std::string> scene_warnings(const Scene& scene, const Simulation& simulation);

}  // namespace brio

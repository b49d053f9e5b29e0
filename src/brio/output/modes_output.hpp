#pragma once
// modes.csv and modes.html: the vibration modes of a body as a table and as moving shapes.

#include "brio/scene/vibrations.hpp"

#include <filesystem>

namespace brio {

/// "3", "rigid 2": elastic modes and rigid motions are counted apart.
std::vector<std::string> mode_names(const std::vector<Vibration>& vibrations);

/// Creates the folder. The page shows the first elastic modes, as many as it can hold, and then the rigid motions;
/// returns how many modes it shows.
int write_modes(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation,
                const std::vector<Vibration>& vibrations);

}  // namespace brio

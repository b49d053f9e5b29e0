#pragma once
// A recording as a file for other programs.

#include "brio/output/recording.hpp"

#include <filesystem>

namespace brio {

/// folder/body.glb: the frames of the recording since its last change of topology, to 16 bits of its extent.
void write_glb(const std::filesystem::path& folder, const Recording& recording);

}  // namespace brio

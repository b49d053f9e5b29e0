#pragma once
// Checks between sections of a scene file that need no mesh: each section may be valid and the combination not.

#include "brio/scene/parsed_object.hpp"
#include "brio/scene/problems.hpp"

#include <filesystem>

namespace brio {

/// Works on incomplete records too, so that all problems come out together.
void cross_check(const ParsedObject& scene, const std::filesystem::path& scene_file, Problems& problems);

/// A path of the scene file, relative to it.
std::filesystem::path beside(const std::filesystem::path& scene_file, const std::string& path);

}  // namespace brio

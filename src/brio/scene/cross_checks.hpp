#pragma once
// What can be wrong between the parts of a scene file even though each part is fine, as far as it shows without a mesh.

#include "brio/scene/parsed_object.hpp"
#include "brio/scene/problems.hpp"

#include <filesystem>

namespace brio {

/// Works on incomplete records too, so that all problems come out together.
void cross_check(const ParsedObject& scene, const std::filesystem::path& scene_file, Problems& problems);

/// A path of the scene file, relative to it.
std::filesystem::path beside(const std::filesystem::path& scene_file, const std::string& path);

}  // namespace brio

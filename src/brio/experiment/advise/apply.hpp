#pragma once
// A recommendation put into a scene file.

#include "brio/experiment/advise/advise.hpp"

namespace brio {

/// Throws Error where `out` is the scene file itself.
void refuse_own_file(const std::filesystem::path& scene_file, const std::filesystem::path& out);

/// Writes the scene with the recommended method and step in place of its own and everything else as it is: keys in
/// their order, values of the command line in it, comments left out, and paths so that they lead from `out` to the same
/// files. Throws Error where nothing was recommended.
void write_advised_scene(const SceneText& text, const SceneTables& tables, const Advice& advice,
                         const std::filesystem::path& out);

/// Readable JSON: an object or list that fits on a line is on one line.
std::string readable_json(const Json& json);

}  // namespace brio

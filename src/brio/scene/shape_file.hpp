#pragma once
// A solid in a JSON file of its own: what `brio mesh SHAPE.json` reads, and the form of the named shapes.

#include "brio/core/options.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace brio {

struct ShapeFile {
  std::string name, description;
  int vertices = 0;          ///< that suit it
  int least_vertices = 20;   ///< with fewer it does not hold together
  std::optional<int> genus;  ///< how many handles it has, where that is known
  SolidModel model;
};

/// Throws Error for fewer vertices than the shape needs.
LoadedMesh fill(const ShapeFile& shape, StuffingTarget target, const StuffingProgress& progress = {});

/// Throws one Error with a line for every problem found.
ShapeFile load_shape_file(const std::filesystem::path& file);
/// The same for text that is at hand; `file` serves the messages.
ShapeFile parse_shape_file(const std::string& text, const std::filesystem::path& file);

}  // namespace brio

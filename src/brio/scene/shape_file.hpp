#pragma once
// A solid in a JSON file of its own: what `brio mesh SHAPE.json` reads, and the form of the named shapes.

#include "brio/core/options.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"

#include <filesystem>
#include <string>

namespace brio {

struct ShapeFile {
  std::string name, description;
  int vertices = 0;  ///< that suit it
  SolidModel model;
};

/// Throws one Error with a line for every problem found.
ShapeFile load_shape_file(const std::filesystem::path& file);
/// The same for text that is at hand; `file` serves the messages.
ShapeFile parse_shape_file(const std::string& text, const std::filesystem::path& file);

}  // namespace brio

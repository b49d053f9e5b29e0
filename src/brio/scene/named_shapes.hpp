#pragma once
// The named shapes that come with brio: the files of shapes/, embedded into the library.
//
//   LoadedMesh bunny = fill(find_row(named_shapes(), "named shape", "bunny").model, {.vertices = 3000});

#include "brio/scene/shape_file.hpp"

#include <string>
#include <vector>

namespace brio {

/// Their models, in the order of their names.
const std::vector<ShapeFile>& named_shapes();

/// A solid from a surface file, a shape file, or by its name. Throws Error.
ShapeFile find_solid(const std::string& input);

/// All generators of tetrahedral meshes, with the one for named shapes.
const std::vector<GeneratorEntry>& scene_generators();

}  // namespace brio

#pragma once
// The mesh that a scene names, as its generator or file has it.

#include "brio/mesh/loaded_mesh.hpp"
#include "brio/scene/scene.hpp"

namespace brio {

/// Made, filled or read. What was made lately is remembered: a comparison builds the same scene for each of its methods,
/// and filling a shape can take longer than the steps. Safe to call from several threads.
LoadedMesh source_mesh(const MeshSpec& spec);

}  // namespace brio

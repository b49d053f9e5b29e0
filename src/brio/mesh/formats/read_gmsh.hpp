#pragma once
// Reader for the mesh files of Gmsh, formats 2.2 and 4.1, ASCII and binary.

#include "brio/mesh/loaded_mesh.hpp"

namespace brio {

/// Tetrahedra (of any order, by their corners), the region of each from its physical volume (0 without one), and a
/// vertex set for every physical group of points, curves, surfaces or volumes, called by its name or "group_<tag>".
/// Vertices are all nodes of the file in its order, used or not. `name` stands for the file in messages.
LoadedMesh parse_gmsh(std::string bytes, const std::string& name);

}  // namespace brio

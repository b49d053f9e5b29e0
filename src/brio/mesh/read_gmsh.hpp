#pragma once
// Reader for the mesh files of Gmsh, formats 2.2 and 4.1 in ASCII.

#include "brio/mesh/loaded_mesh.hpp"

namespace brio {

/// Tetrahedra (of any order, by their corners), the region of each from its physical volume (0 without one), and a
/// vertex set for every physical group of points, curves, surfaces or volumes, called by its name or "group_<tag>".
/// Vertices are all nodes of the file in its order, used or not. Throws Error with file and line.
LoadedMesh read_gmsh(const std::filesystem::path& path);

/// The same from the text of such a file; `name` stands for it in messages.
LoadedMesh parse_gmsh(std::string text, const std::string& name);

}  // namespace brio

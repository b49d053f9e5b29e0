#pragma once
// A mesh from a file, with the names that the file gives to its parts.

#include "brio/mesh/tet_mesh.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace brio {

struct LoadedMesh {
  TetMesh mesh;
  std::map<std::string, std::vector<int>> vertex_sets;  ///< named groups of vertices, ascending
  std::map<int, std::string> region_names;              ///< for the regions that the file names
  std::map<std::string, int> other_cells;               ///< cells that are not tetrahedra, by kind
  std::vector<std::string> messages;                    ///< what was left out, changed or mended
};

/// A kind of mesh file, found by its extension.
struct MeshFormat {
  std::string extension;  ///< with the dot, in small letters
  std::string name;
  std::function<LoadedMesh(const std::filesystem::path&)> read;
};
const std::vector<MeshFormat>& mesh_formats();

/// Reads a mesh file of any known format and repairs it (brio/mesh/repair.hpp); the vertex sets follow the repair.
/// Throws Error with file, line and reason.
LoadedMesh load_mesh(const std::filesystem::path& path);

}  // namespace brio

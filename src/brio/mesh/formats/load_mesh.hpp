#pragma once
// Reads a mesh or a surface from a file of any known format.

#include "brio/mesh/loaded_mesh.hpp"

#include <filesystem>

namespace brio {

/// The mesh as the file has it, flaws included; vertex indices are in range and coordinates finite. The extension
/// chooses the format (brio/mesh/formats/mesh_format.hpp). Throws Error with file, line and reason.
LoadedMesh read_mesh(const std::filesystem::path& path);

/// Tetrahedra from a file of any known format, repaired (brio/mesh/repair.hpp); the vertex sets follow the repair.
LoadedMesh load_mesh(const std::filesystem::path& path);

/// The triangles of a file; of tetrahedra, their boundary.
LoadedMesh load_surface(const std::filesystem::path& path);

}  // namespace brio

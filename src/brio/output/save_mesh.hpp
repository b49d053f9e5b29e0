#pragma once
// Meshes and surfaces into files of any known format.

#include "brio/mesh/loaded_mesh.hpp"

#include <filesystem>

namespace brio {

/// The files written, and messages for the user.
struct SavedMesh {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> messages;  ///< what the format does not hold
};

/// The extension chooses the format. Tetrahedra for a format of surfaces: their boundary is written. A surface for a
/// format of tetrahedra is refused with Error.
SavedMesh save_mesh(const std::filesystem::path& path, const LoadedMesh& mesh);
SavedMesh save_mesh(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace brio

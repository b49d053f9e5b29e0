#pragma once
// Files for the tests of readers and writers.

#include "brio/core/text_file.hpp"
#include "brio/mesh/formats/mesh_format.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace brio {

/// Meshes that others made: where BRIO_SHARED_MESHES says, or beside the project. The folder may not exist.
inline std::filesystem::path shared_meshes() {
  const char* told = std::getenv("BRIO_SHARED_MESHES");
  return told ? std::filesystem::path(told) : std::filesystem::path(BRIO_SOURCE_DIR) / ".." / "shared" / "meshes";
}

/// Reads bytes as a file of the format. Two files in one (TetGen's) are divided by a line "%%".
inline LoadedMesh read_bytes(const MeshFormat& format, const std::string& bytes) {
  const size_t cut = std::min(bytes.find("%%\n"), bytes.size());
  const std::string rest = bytes.substr(std::min(cut + 3, bytes.size()));
  return format.read({"input.ele", bytes.substr(0, cut), [rest](const std::string&) {
                        return MeshSource{"input.node", rest, {}};
                      }});
}

/// The way back: what the writer gives, in one string.
inline std::string written_bytes(const MeshFormat& format, const LoadedMesh& mesh) {
  const std::vector<MeshFile> files = format.write(mesh);
  return files.size() == 1 ? files[0].bytes : files[1].bytes + "%%\n" + files[0].bytes;
}

}  // namespace brio

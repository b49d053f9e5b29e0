#pragma once
// A page to look at a mesh with, as for runs: the body in 3D and its numbers.

#include "brio/mesh/loaded_mesh.hpp"
#include "brio/mesh/quality.hpp"

#include <filesystem>
#include <string>

namespace brio {

/// What people ask of a mesh.
struct MeshFacts {
  std::string name;
  MeshQuality quality;
  int components = 0;
  double size = 0;    ///< of the lattice's cells, where it has one [m]
  double wall_s = 0;  ///< how long making it took [s]
};

/// Writes a self-contained page. A file of that name is always complete.
void write_mesh_page(const std::filesystem::path& path, const LoadedMesh& loaded, const MeshFacts& facts);

}  // namespace brio

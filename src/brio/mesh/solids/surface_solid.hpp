#pragma once
// The solid inside of a surface in a file: what `brio mesh` and "surface" of a scene's mesh fill with tetrahedra.

#include "brio/mesh/solids/signed_distance.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brio {

struct SurfaceSolid {
  SolidPointer solid;
  std::vector<std::string> messages;  ///< defects of the file or its surface
};

/// Throws Error with the file's name for one that cannot be read, or whose surface encloses nothing.
SurfaceSolid load_surface_solid(const std::filesystem::path& path);

}  // namespace brio

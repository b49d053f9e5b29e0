#include "brio/mesh/solids/surface_solid.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/solids/winding_number.hpp"

namespace brio {

SurfaceSolid load_surface_solid(const std::filesystem::path& path) {
  LoadedMesh loaded = load_surface(path);
  SurfaceSolid made;
  made.messages = std::move(loaded.messages);
  for (std::string& message : check_surface(loaded.surface).messages()) made.messages.push_back(std::move(message));
  try {
    made.solid = make_surface_solid(loaded.surface);
  } catch (const Error& error) {
    throw Error("{}: {}", path.string(), error.what());
  }
  return made;
}

}  // namespace brio

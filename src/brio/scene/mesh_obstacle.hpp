#pragma once
// Obstacles that are surfaces of triangles, from a file or made here.

#include "brio/energy/surface_contact_energy.hpp"
#include "brio/mesh/triangle_surface.hpp"
#include "brio/scene/scene.hpp"

#include <string_view>

namespace brio {

constexpr std::string_view kMeshObstacle = "mesh";  ///< the "shape" of such an obstacle

/// Reads or makes the surface, without triangles that have no area or are there twice; what was left out or is odd goes
/// into `notes`. Throws Error, naming the place in the scene, where nothing is left to touch.
TriangleSurface load_mesh_obstacle(const ObstacleSpec& spec, std::vector<std::string>& notes);

}  // namespace brio

#pragma once
// A closed surface of triangles as a solid, robustly: the distance from the nearest triangle, with the sign of the
// generalized winding number [Jacobson et al. 2013], which small holes, overlaps and folds disturb only nearby.

#include "brio/mesh/solids/signed_distance.hpp"
#include "brio/mesh/triangle_surface.hpp"

#include <string>
#include <vector>

namespace brio {

/// Defects of a surface that should enclose a solid.
struct SurfaceProblems {
  int open_edges = 0;                                             ///< with one triangle only: the rim of a hole
  int nonmanifold_edges = 0;                                      ///< with more than two triangles
  int inconsistent_edges = 0;                                     ///< whose two triangles face opposite ways
  int flat_triangles = 0;                                         ///< without area
  int crossings = 0;                                              ///< pairs of triangles that run through each other
  Vec3 first_open = Vec3::Zero(), first_crossing = Vec3::Zero();  ///< where [m]
  bool inside_out = false;

  std::vector<std::string> messages() const;
};
SurfaceProblems check_surface(const TriangleSurface& surface);

/// Throws Error for a surface without triangles that have an area, or with none of a volume.
SolidPointer make_surface_solid(const TriangleSurface& surface);

/// How often the surface goes around a point: 1 inside of a closed one that faces outwards, 0 outside; by the solid
/// angles of all triangles. For tests.
double winding_number(const TriangleSurface& surface, const Vec3& x);

}  // namespace brio

#pragma once
// Where a mesh has less volume than its shape: flat triangles cut off what bulges out between their vertices.

#include "brio/mesh/solids/signed_distance.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <vector>

namespace brio {

struct VolumeLosses {
  std::vector<Vec3> places;  ///< the middles of the regions that lose most, the worst first [m]
  double volume = 0;         ///< that flat triangles cut off, about [m^3]
  double share = 0;          ///< of it, near those places
};

/// Where vertices of the boundary lie on the shape. Regions are a sixth of the body wide.
VolumeLosses find_losses(const SignedDistance& body, const TetMesh& mesh);

}  // namespace brio

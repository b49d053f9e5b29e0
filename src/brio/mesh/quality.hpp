#pragma once
// How well shaped the tetrahedra are: slivers make stiff systems and wrong answers.

#include "brio/mesh/tet_mesh.hpp"

#include <array>
#include <vector>

namespace brio {

struct MeshQuality {
  double least_dihedral = 180;  ///< smallest angle between two faces of one tetrahedron [degrees]; regular: 70.5
  double most_dihedral = 0;     ///< largest such angle [degrees]
  double worst_aspect = 0;      ///< longest edge over smallest height, 1 for a regular tetrahedron
  int worst_tet = -1;           ///< the tetrahedron of the worst aspect
  double least_edge = 0;        ///< shortest edge of the mesh [m]
  double least_volume = 0;      ///< smallest signed volume [m^3]
  double volume = 0;            ///< of the whole mesh [m^3]
};

/// Of one tetrahedron.
struct TetMeasures {
  double volume = 0;               ///< signed [m^3]
  double aspect = 0;               ///< longest edge over smallest height, 1 for a regular one; infinite for a flat one
  double least_edge = 0;           ///< [m]
  std::array<double, 6> dihedral;  ///< angles between its faces [degrees]
};

std::vector<TetMeasures> measure_tets(const TetMesh& mesh);
MeshQuality summarize(const std::vector<TetMeasures>& measures);
MeshQuality measure_quality(const TetMesh& mesh);

/// Signed volume over the cube of the longest edge: 0.118 for a regular tetrahedron, 0 for a flat one or a point.
/// Neither overflows nor underflows, whatever the unit.
double relative_volume(const TetMesh& mesh, int tet);

}  // namespace brio

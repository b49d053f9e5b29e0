#pragma once
// Cells of different sizes cut by the surface: as in the uniform lattice, but edges have many lengths, and the angles
// of tetrahedra between cells of two sizes are not bounded by the enumeration of stencils. They are improved by moving
// vertices, and what is left is counted.

#include "brio/mesh/stuffing/stuffing_cells.hpp"
#include "brio/mesh/tet_mesh.hpp"

namespace brio {

struct CutCells {
  TetMesh mesh;
  std::vector<char> on_surface;  ///< per vertex of the mesh
};
CutCells cut_cells(const SignedDistance& body, const SizedCells& cells);

/// Moves vertices of tetrahedra with dihedral angles outside of `least` to `most` [degrees] until there are none, or
/// no move helps; those on the surface stay on it. Returns the tetrahedra that are left.
std::vector<int> improve_angles(const SignedDistance& body, CutCells& cut, double least, double most);

}  // namespace brio

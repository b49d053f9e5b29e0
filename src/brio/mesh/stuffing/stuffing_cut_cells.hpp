#pragma once
// Cells of different sizes cut by the surface: as in the uniform lattice, but edges have many lengths, and the angles
// of tetrahedra between cells of two sizes are not bounded by the enumeration of stencils (see stuffing_angles.hpp).

#include "brio/mesh/stuffing/stuffing_cells.hpp"
#include "brio/mesh/tet_mesh.hpp"

namespace brio {

struct CutCells {
  TetMesh mesh;
  std::vector<char> on_surface;  ///< per vertex of the mesh
};
CutCells cut_cells(const SignedDistance& body, const SizedCells& cells);

}  // namespace brio

#pragma once
// Angles of tetrahedra between cells of two sizes, which no enumeration of stencils bounds, improved by moving
// vertices.

#include "brio/mesh/stuffing/stuffing_cut_cells.hpp"

namespace brio {

/// Moves vertices of tetrahedra with dihedral angles outside of `least` to `most` [degrees] until there are none, or
/// no move helps; those on the surface stay on it. Returns the tetrahedra that are left.
std::vector<int> improve_angles(const SignedDistance& body, CutCells& cut, double least, double most);

}  // namespace brio

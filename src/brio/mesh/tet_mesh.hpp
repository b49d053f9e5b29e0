#pragma once
// A tetrahedral mesh as a plain value: rest positions, tetrahedra, and region and fiber direction of each.

#include "brio/core/types.hpp"

#include <array>

namespace brio {

struct TetMesh {
  MatrixX3d X;      ///< rest positions, n x 3 [m]
  MatrixX4i T;      ///< vertex indices, m x 4, positive volume: det(x1-x0, x2-x0, x3-x0) > 0
  VectorXi region;  ///< region of each tetrahedron, m
  MatrixX3d fiber;  ///< unit fiber direction of each tetrahedron at rest, m x 3, or zero rows where there is none

  int vertices() const { return static_cast<int>(X.rows()); }
  int tets() const { return static_cast<int>(T.rows()); }
};

/// Signed volume of one tetrahedron [m^3].
double tet_volume(const TetMesh& mesh, int tet);

}  // namespace brio

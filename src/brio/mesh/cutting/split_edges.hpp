#pragma once
// Subdivision of tetrahedra by points on chosen edges. Tetrahedra around an edge are halved at its point, edge after
// edge in one order for the whole mesh, so that neighbors agree on the diagonals of their faces whatever is chosen,
// and every part keeps the orientation (and, at rest, a fixed share of the volume) of what it comes from.

#include "brio/mesh/tet_mesh.hpp"

#include <vector>

namespace brio {

/// A vertex that lies between two others at (1 - weight) a + weight b; a copy of a where both are the same.
struct VertexOrigin {
  int a, b;
  double weight;  ///< of b
};

/// Every edge of the tetrahedra once, a < b, ascending.
std::vector<std::array<int, 2>> find_edges(const TetMesh& mesh);

struct SplitMesh {
  TetMesh mesh;              ///< vertex n + i is the point on edge i, with n vertices before
  std::vector<int> old_tet;  ///< of each tetrahedron
  int subdivided = 0;        ///< how many old ones were
};

/// The edges: a < b, ascending, with 0 < weight < 1.
SplitMesh split_edges(const TetMesh& mesh, const std::vector<VertexOrigin>& edges);

/// Rows of the old vertices (positions, velocities) at the new ones.
MatrixX3d carried(const std::vector<VertexOrigin>& origin, const MatrixX3d& old);

}  // namespace brio

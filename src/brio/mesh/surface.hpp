#pragma once
// The boundary surface of a mesh, and its connected components.

#include "brio/mesh/faces.hpp"
#include "brio/mesh/tet_mesh.hpp"
#include "brio/mesh/triangle_surface.hpp"

#include <vector>

namespace brio {

/// The faces that belong to one tetrahedron only, wound so that they face outwards, in the order of the tetrahedra. A
/// face of a quadratic one is four triangles between its corners and the vertices on its edges.
MatrixX3i boundary_triangles(const TetMesh& mesh);
MatrixX3i boundary_triangles(const TetMesh& mesh, const Faces& faces);

/// A third of the area of the triangles around each vertex, for each row of X [m^2].
VectorXd lumped_area(const MatrixX3d& X, const MatrixX3i& triangles);

/// The vertices of the triangles, ascending.
std::vector<int> surface_vertices(const MatrixX3i& triangles);

/// Connected components: parts that share no vertex.
struct Components {
  int count = 0;
  VectorXi of_vertex;  ///< 0 … count - 1, in the order of first vertices; -1 for a vertex of no tetrahedron
};
Components connected_components(const TetMesh& mesh);

/// The boundary of the tetrahedra as a surface of its own, with the vertices that it uses.
TriangleSurface boundary_surface(const TetMesh& mesh);

}  // namespace brio

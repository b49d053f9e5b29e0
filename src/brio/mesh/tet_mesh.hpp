#pragma once
// A tetrahedral mesh as a plain value: vertices, tetrahedra, and the region and fiber direction of each tetrahedron.
// Quadratic tetrahedra have nodes on their edges, too (mesh/quadratic.hpp).

#include "brio/core/types.hpp"

#include <array>
#include <string>

namespace brio {

struct TetMesh {
  MatrixX3d X;      ///< rest positions, n x 3 [m]
  MatrixX4i T;      ///< vertex indices, m x 4, positive volume: det(x1-x0, x2-x0, x3-x0) > 0
  VectorXi region;  ///< region of each tetrahedron, m; may be empty outside of scenes
  MatrixX3d fiber;  ///< unit fiber direction of each tetrahedron at rest, m x 3, zero where it has none; may be empty
  /// The vertices on the edges 01 02 03 12 13 23 of each quadratic tetrahedron, m x 6; no rows where all are linear.
  MatrixX6i mid = {};

  int vertices() const { return static_cast<int>(X.rows()); }
  int tets() const { return static_cast<int>(T.rows()); }
  int order() const { return mid.rows() > 0 ? 2 : 1; }  ///< of the shape functions
};

/// Throws Error, naming the first vertex or tetrahedron that is wrong: a mesh without tetrahedra, coordinates or fibers
/// that are not finite, vertex numbers out of range, a vertex twice in a tetrahedron, two vertices in the middle of one
/// edge, or regions, fibers or vertices on edges that are neither left out nor there for each tetrahedron. `where`
/// begins the message.
void validate_arrays(const TetMesh& mesh, const std::string& where = "mesh");

/// The same, and every tetrahedron has a positive volume: neither flat nor inverted, nor folded where it is curved.
void validate(const TetMesh& mesh, const std::string& where = "mesh");

/// Masses of the vertices: each linear tetrahedron gives a quarter of its mass to each of its vertices; a quadratic one
/// 1/36 to each corner and 4/27 to each vertex on an edge (quadratic.hpp) [kg]. Density [kg/m^3].
VectorXd lumped_mass(const TetMesh& mesh, double density);

/// Signed volume of one tetrahedron, of a quadratic one that between its corners [m^3].
double tet_volume(const TetMesh& mesh, int tet);
/// "tetrahedron 7 (vertices 1, 4, 5, 9)", for messages.
std::string tet_text(const TetMesh& mesh, int tet);

}  // namespace brio

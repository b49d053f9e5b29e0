#pragma once
// A tetrahedral mesh as a plain value: vertices, tetrahedra, and the region and fiber direction of each tetrahedron.

#include "brio/core/types.hpp"

#include <array>
#include <string>

namespace brio {

struct TetMesh {
  MatrixX3d X;      ///< rest positions, n x 3 [m]
  MatrixX4i T;      ///< vertex indices, m x 4, positive volume: det(x1-x0, x2-x0, x3-x0) > 0
  VectorXi region;  ///< region of each tetrahedron, m; may be empty outside of scenes
  MatrixX3d fiber;  ///< unit fiber direction of each tetrahedron at rest, m x 3, zero where it has none; may be empty

  int vertices() const { return static_cast<int>(X.rows()); }
  int tets() const { return static_cast<int>(T.rows()); }
};

/// Throws Error, naming the first vertex or tetrahedron that is wrong: a mesh without tetrahedra, coordinates or fibers
/// that are not finite, vertex numbers out of range, a vertex twice in a tetrahedron, or regions or fibers that are
/// neither left out nor one for each tetrahedron. `where` begins the message.
void validate_arrays(const TetMesh& mesh, const std::string& where = "mesh");

/// The same, and every tetrahedron has a positive volume: neither flat nor inverted.
void validate(const TetMesh& mesh, const std::string& where = "mesh");

/// Masses of the vertices: each tetrahedron gives a quarter of its mass to each of its vertices [kg]. Density [kg/m^3].
VectorXd lumped_mass(const TetMesh& mesh, double density);

/// Signed volume of one tetrahedron [m^3].
double tet_volume(const TetMesh& mesh, int tet);
/// "tetrahedron 7 (vertices 1, 4, 5, 9)", for messages.
std::string tet_text(const TetMesh& mesh, int tet);

}  // namespace brio

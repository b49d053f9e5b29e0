#pragma once
// How a body hangs together: its parts by shared faces, the places where parts touch in a vertex or an edge only, and
// its handles. A sound body is one part, its boundary is a manifold, and its genus is that of the shape.

#include "brio/mesh/faces.hpp"
#include "brio/mesh/triangle_surface.hpp"

namespace brio {

/// Parts of a body that hang together by faces; tetrahedra that share a vertex or an edge only are not connected.
struct FaceParts {
  struct Part {
    int tets = 0;
    double volume = 0;          ///< [m^3]
    Vec3 place = Vec3::Zero();  ///< centroid of one of its tetrahedra, the first [m]
  };
  std::vector<Part> part;  ///< by volume, the largest first
  VectorXi of_tet;         ///< row of `part`

  int count() const { return static_cast<int>(part.size()); }
};
FaceParts face_parts(const TetMesh& mesh, const Faces& faces);

/// Where a closed surface of triangles is not a manifold: edges of more than two triangles, and vertices, other than
/// their ends, whose triangles form more than one fan.
struct Pinches {
  std::vector<std::array<int, 2>> edges;  ///< ascending
  std::vector<int> vertices;              ///< ascending

  size_t count() const { return edges.size() + vertices.size(); }
};
Pinches find_pinches(const MatrixX3i& boundary);

/// Vertices - edges + triangles: 2 for a ball, 0 for a torus.
int surface_euler(const MatrixX3i& triangles);
/// How many parts of the surface share no vertex.
int surface_parts(const MatrixX3i& triangles);
/// Handles of a closed manifold surface: the sum of the genera of its parts.
inline int surface_genus(const MatrixX3i& triangles) { return surface_parts(triangles) - surface_euler(triangles) / 2; }

/// Gives each fan of tetrahedra around a pinched vertex or edge a copy of its own, so that the boundary becomes a
/// manifold. Returns the old vertex of each copy; copies are appended to X.
std::vector<int> open_pinches(TetMesh& mesh, const Faces& faces, const Pinches& pinches);

/// The mesh of the tetrahedra of one part, or of those for which `keep` is set, with the vertices that they use.
TetMesh extract_tets(const TetMesh& mesh, const std::vector<char>& keep);

}  // namespace brio

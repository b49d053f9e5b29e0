#pragma once
// Quadratic tetrahedra: ten nodes, the four corners and one on each edge. Positions, and whatever else the nodes carry,
// are x = sum N_a x_a with
//   N_c = L_c (2 L_c - 1) at corner c,  N_cd = 4 L_c L_d on the edge between c and d
// (Zienkiewicz, Taylor, Zhu 2013, section 6.2), L the barycentric coordinates. Nodes may lie off the middle of their
// edges: then the element is curved, and its volume is an integral of the determinant of dx/dL.

#include "brio/mesh/faces.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <array>

namespace brio {

/// Puts a vertex into the middle of every edge, after the vertices that are there; nothing where it is quadratic.
void make_quadratic(TetMesh& mesh);

/// Leaves out the vertices on the edges; those that are left keep their order. The new number of each old vertex, or
/// -1.
std::vector<int> make_linear(TetMesh& mesh);

/// A set of vertices of the mesh before make_quadratic() with the vertices on the edges between them; ascending.
std::vector<int> with_mid_vertices(const TetMesh& mesh, const std::vector<int>& set);

/// Linear tetrahedra with the same vertices, eight for each quadratic one and in its order, for pictures and whatever
/// else wants them. A linear mesh is returned as it is.
TetMesh split_tets(const TetMesh& mesh);

/// Four triangles for each face, wound as the face.
MatrixX3i split_faces(const TetMesh& mesh, const std::vector<FaceId>& faces);

/// Volume of the element, its curved sides included [m^3].
double element_volume(const TetMesh& mesh, int tet);

/// Adds the mass of an element to those of its vertices: in equal parts, or of a quadratic one 1/36 to each corner and
/// 4/27 to each vertex on an edge. That is the diagonal of its mass matrix, scaled to the element's mass (Hinton, Rock,
/// Zienkiewicz 1976): adding up the rows instead would leave the corners with negative masses.
void add_lumped_mass(const TetMesh& mesh, int tet, double density, VectorXd& mass);

/// Exchanges two corners, so that an inverted element becomes a positive one.
void turn_round(TetMesh& mesh, int tet);

/// A lower bound of det(dx/dL) in the element over six times the volume between its corners: 1 where its edges are
/// straight and their nodes in the middle, 0 or less where it is folded or so nearly that no bound could be found.
double least_jacobian(const TetMesh& mesh, int tet);

/// Throws Error for numbers out of range, a vertex twice in one element, and two vertices on one edge.
void validate_edges(const TetMesh& mesh, const std::string& where);
/// Throws Error that names the first folded element.
void refuse_folds(const TetMesh& mesh, const std::string& where);

}  // namespace brio

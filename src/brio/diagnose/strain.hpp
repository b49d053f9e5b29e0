#pragma once
// A strain measure at each vertex, for display.

#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"

namespace brio {

/// Norm of Green's strain, averaged over the tetrahedra at each vertex by volume.
VectorXd vertex_strain(const TetMesh& rest, const MatrixX3d& x);
/// Mean of |length / rest length - 1| over the springs at each vertex.
VectorXd vertex_strain(const SpringNet& rest, const MatrixX3d& x);

}  // namespace brio

#pragma once
// A detailed surface carried by coarse tetrahedra: each of its points keeps its barycentric coordinates in one of them.
//
//   const Embedding skin = embed(mesh, detailed.X);
//   MatrixX3d moved = skin.carry(x);   // x: where the mesh's vertices are now

#include "brio/mesh/tet_mesh.hpp"
#include "brio/mesh/triangle_surface.hpp"

namespace brio {

struct Embedding {
  MatrixX4i corners;                                                  ///< vertices of the mesh, k x 4
  Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> weights;  ///< of them; each row adds up to 1
  int outside = 0;                                                    ///< points in no tetrahedron
  double farthest = 0;                                                ///< of these, the greatest distance [m]

  int points() const { return static_cast<int>(corners.rows()); }
  /// Positions, velocities or any other rows of the mesh's vertices at the points.
  MatrixX3d carry(const MatrixX3d& values) const;
  VectorXd carry(const VectorXd& values) const;
};

/// A point outside of all tetrahedra goes with the nearest one, whose affine map is continued beyond it. Throws Error
/// for points that are not finite, or a mesh without tetrahedra. A quadratic tetrahedron carries points as the eight
/// linear ones between its vertices do.
Embedding embed(const TetMesh& mesh, const MatrixX3d& points);

/// A surface and how a mesh carries it.
struct Skin {
  TriangleSurface surface;  ///< of its material files, the whole paths
  Embedding embedding;
};

}  // namespace brio

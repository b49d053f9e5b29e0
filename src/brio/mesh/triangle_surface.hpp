#pragma once
// A triangle surface as a plain value: positions, triangles, and texture coordinates, groups and materials.

#include "brio/core/types.hpp"

#include <string>
#include <vector>

namespace brio {

struct TriangleSurface {
  MatrixX3d X;          ///< positions, n x 3 [m]
  MatrixX3i triangles;  ///< vertex indices, m x 3, counter-clockwise seen from outside

  MatrixX2d uv;                          ///< points of the texture, k x 2; empty without
  MatrixX3i uv_triangles;                ///< rows of uv at the corners, m x 3, -1 where there is none; empty without
  VectorXi group;                        ///< row of group_names for each triangle, m; empty without
  std::vector<std::string> group_names;  ///< as the file has them; may repeat no name
  VectorXi material;                     ///< row of material_names for each triangle, m; empty without
  std::vector<std::string> material_names;
  std::vector<std::string> material_files;  ///< where the materials are described, relative to the surface's file

  int vertices() const { return static_cast<int>(X.rows()); }
  int faces() const { return static_cast<int>(triangles.rows()); }
};

/// A surface that is nothing but points and triangles.
TriangleSurface make_surface(MatrixX3d X, MatrixX3i triangles);

}  // namespace brio

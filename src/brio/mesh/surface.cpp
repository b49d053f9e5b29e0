#include "brio/mesh/surface.hpp"

#include "brio/mesh/faces.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/union_find.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace brio {

TriangleSurface make_surface(MatrixX3d X, MatrixX3i triangles) {
  TriangleSurface surface;
  surface.X = std::move(X);
  surface.triangles = std::move(triangles);
  return surface;
}

MatrixX3i boundary_triangles(const TetMesh& mesh) { return boundary_triangles(mesh, find_faces(mesh)); }

MatrixX3i boundary_triangles(const TetMesh& mesh, const Faces& faces) {
  if (mesh.order() == 2) return split_faces(mesh, faces.single);
  const std::vector<FaceId>& single = faces.single;
  MatrixX3i triangles(static_cast<Index>(single.size()), 3);
  for (Index i = 0; i < triangles.rows(); ++i) {
    const std::array<int, 3> corners = vertices_of(mesh, single[i]);
    for (int c = 0; c < 3; ++c) triangles(i, c) = corners[c];
  }
  return triangles;
}

VectorXd lumped_area(const MatrixX3d& X, const MatrixX3i& triangles) {
  VectorXd area = VectorXd::Zero(X.rows());
  for (Index f = 0; f < triangles.rows(); ++f) {
    const Vec3 a = X.row(triangles(f, 0)), b = X.row(triangles(f, 1)), c = X.row(triangles(f, 2));
    const double third = (b - a).cross(c - a).norm() / 6;
    for (int i = 0; i < 3; ++i) area[triangles(f, i)] += third;
  }
  return area;
}

std::vector<int> surface_vertices(const MatrixX3i& triangles) {
  std::vector<int> vertices(triangles.data(), triangles.data() + triangles.size());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

TriangleSurface boundary_surface(const TetMesh& mesh) {
  MatrixX3i triangles = boundary_triangles(mesh);
  const std::vector<int> used = surface_vertices(triangles);
  std::vector<int> place(mesh.vertices());
  for (size_t i = 0; i < used.size(); ++i) place[used[i]] = static_cast<int>(i);
  for (int& vertex : triangles.reshaped()) vertex = place[vertex];
  return make_surface(mesh.X(used, Eigen::all), std::move(triangles));
}

Components connected_components(const TetMesh& mesh) {
  UnionFind together(mesh.vertices());
  std::vector<bool> used(mesh.vertices(), false);
  for (int t = 0; t < mesh.tets(); ++t) {
    for (int c = 0; c < 4; ++c) {
      used[mesh.T(t, c)] = true;
      together.join(mesh.T(t, 0), mesh.T(t, c));
    }
    for (int c = 0; c < mesh.mid.cols() && mesh.order() == 2; ++c) {
      used[mesh.mid(t, c)] = true;
      together.join(mesh.T(t, 0), mesh.mid(t, c));
    }
  }
  Components parts{0, VectorXi::Constant(mesh.vertices(), -1)};
  for (int i = 0; i < mesh.vertices(); ++i) {
    if (!used[i]) continue;
    const int representative = together.representative(i);
    parts.of_vertex[i] = representative == i ? parts.count++ : parts.of_vertex[representative];
  }
  return parts;
}

}  // namespace brio

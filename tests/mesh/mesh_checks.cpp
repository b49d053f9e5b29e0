#include "mesh/mesh_checks.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace brio {

double total_volume(const TetMesh& mesh) {
  double volume = 0;
  for (int t = 0; t < mesh.tets(); ++t) volume += tet_volume(mesh, t);
  return volume;
}

double region_volume(const TetMesh& mesh, int region) {
  double volume = 0;
  for (int t = 0; t < mesh.tets(); ++t)
    if (mesh.region[t] == region) volume += tet_volume(mesh, t);
  return volume;
}

double enclosed_volume(const MatrixX3d& X, const MatrixX3i& triangles) {
  double six = 0;
  for (Index f = 0; f < triangles.rows(); ++f) {
    const Vec3 a = X.row(triangles(f, 0)), b = X.row(triangles(f, 1)), c = X.row(triangles(f, 2));
    six += a.cross(b).dot(c);
  }
  return six / 6;
}

int euler_characteristic(const MatrixX3i& triangles) {
  std::set<std::pair<int, int>> edges;
  for (Index f = 0; f < triangles.rows(); ++f)
    for (int c = 0; c < 3; ++c) edges.insert(std::minmax(int{triangles(f, c)}, int{triangles(f, (c + 1) % 3)}));
  return static_cast<int>(surface_vertices(triangles).size()) - static_cast<int>(edges.size()) +
         static_cast<int>(triangles.rows());
}

void expect_closed(const MatrixX3i& triangles) {
  std::set<std::pair<int, int>> walked;
  for (Index f = 0; f < triangles.rows(); ++f)
    for (int c = 0; c < 3; ++c)
      EXPECT_TRUE(walked.emplace(triangles(f, c), triangles(f, (c + 1) % 3)).second) << "edge of triangle " << f;
  for (const auto& [a, b] : walked) EXPECT_TRUE(walked.contains({b, a})) << "open edge " << a << "-" << b;
}

void expect_sound(const TetMesh& mesh) {
  ASSERT_GT(mesh.tets(), 0);
  ASSERT_EQ(mesh.region.size(), mesh.tets());
  ASSERT_EQ(mesh.fiber.rows(), mesh.tets());
  EXPECT_TRUE(mesh.X.allFinite());
  EXPECT_TRUE((mesh.fiber.array() == 0).all());
  ASSERT_GE(mesh.T.minCoeff(), 0);
  ASSERT_LT(mesh.T.maxCoeff(), mesh.vertices());
  for (int t = 0; t < mesh.tets(); ++t) ASSERT_GT(tet_volume(mesh, t), 0) << "tet " << t;

  std::map<std::array<int, 3>, int> faces;
  for (int t = 0; t < mesh.tets(); ++t)
    for (int skip = 0; skip < 4; ++skip) {
      std::array<int, 3> face;
      for (int c = 0, k = 0; c < 4; ++c)
        if (c != skip) face[k++] = mesh.T(t, c);
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  int single = 0;
  for (const auto& [face, count] : faces) {
    ASSERT_LE(count, 2) << "face " << face[0] << " " << face[1] << " " << face[2];
    single += count == 1;
  }

  std::set<std::array<double, 3>> places;
  for (int i = 0; i < mesh.vertices(); ++i) places.insert({mesh.X(i, 0), mesh.X(i, 1), mesh.X(i, 2)});
  EXPECT_EQ(static_cast<int>(places.size()), mesh.vertices());
  const Components parts = connected_components(mesh);
  EXPECT_EQ(parts.count, 1);
  EXPECT_EQ(parts.of_vertex.maxCoeff(), 0);
  EXPECT_EQ(parts.of_vertex.minCoeff(), 0);  // -1 would be a vertex of no tetrahedron

  const MatrixX3i surface = boundary_triangles(mesh);
  EXPECT_EQ(surface.rows(), single);
  expect_closed(surface);
  // Both are sums of some 1e4 terms of one sign: rounding stays far below 1e-10 of the total. Overlapping or missing
  // tetrahedra, or cracks, would make a difference of at least one of the volumes.
  const double volume = total_volume(mesh);
  EXPECT_NEAR(enclosed_volume(mesh.X, surface), volume, 1e-10 * volume);
}

}  // namespace brio

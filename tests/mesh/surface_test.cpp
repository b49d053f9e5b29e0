// Surface, areas and components on meshes small enough to know by heart.

#include "brio/mesh/surface.hpp"

#include "brio/mesh/generators/box.hpp"

#include "mesh/mesh_checks.hpp"

namespace brio {
namespace {

TetMesh one_tet() {
  TetMesh mesh;
  mesh.X.resize(4, 3);
  mesh.X << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.T.resize(1, 4);
  mesh.T << 0, 1, 2, 3;
  return mesh;
}

TEST(Surface, faces_of_one_tetrahedron_point_away_from_its_middle) {
  const TetMesh mesh = one_tet();
  const MatrixX3i surface = boundary_triangles(mesh);
  ASSERT_EQ(surface.rows(), 4);
  for (Index f = 0; f < 4; ++f) {
    const Vec3 a = mesh.X.row(surface(f, 0)), b = mesh.X.row(surface(f, 1)), c = mesh.X.row(surface(f, 2));
    EXPECT_GT((b - a).cross(c - a).dot(a - Vec3::Constant(0.25)), 0);
  }
  const VectorXd area = lumped_area(mesh.X, surface);
  EXPECT_NEAR(area[0], 1.5 / 3, 1e-15);  // three right triangles of area 1/2
  EXPECT_NEAR(area.sum(), 1.5 + std::sqrt(3) / 2, 1e-15);
}

TEST(Surface, box_shows_its_six_sides) {
  const TetMesh mesh = make_box({1, 2, 3}, {2, 3, 4}, 5);
  const MatrixX3i surface = boundary_triangles(mesh);
  EXPECT_NEAR(lumped_area(mesh.X, surface).sum(), 2 * (2 + 3 + 6), 1e-13);
  const std::vector<int> vertices = surface_vertices(surface);
  EXPECT_EQ(static_cast<int>(vertices.size()), 3 * 4 * 5 - 1 * 2 * 3);  // all but those inside
  EXPECT_TRUE(std::is_sorted(vertices.begin(), vertices.end()));
}

TEST(Surface, components_are_counted_in_the_order_of_their_vertices) {
  TetMesh mesh = one_tet();
  mesh.X.conservativeResize(10, 3);
  mesh.X.bottomRows(6).setRandom();
  mesh.T.resize(3, 4);
  mesh.T << 9, 8, 7, 6, 0, 2, 3, 4, 3, 4, 1, 0;
  const Components parts = connected_components(mesh);
  EXPECT_EQ(parts.count, 2);
  VectorXi expected(10);
  expected << 0, 0, 0, 0, 0, -1, 1, 1, 1, 1;
  EXPECT_EQ(parts.of_vertex, expected);
}

TEST(Surface, empty_mesh_has_none) {
  EXPECT_EQ(boundary_triangles(TetMesh{}).rows(), 0);
  EXPECT_EQ(connected_components(TetMesh{}).count, 0);
}

}  // namespace
}  // namespace brio

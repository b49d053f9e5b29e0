// Shape numbers of tetrahedra with known angles.

#include "brio/mesh/quality.hpp"

#include "brio/mesh/generators/box.hpp"

#include "mesh/mesh_checks.hpp"

namespace brio {
namespace {

TetMesh tet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  TetMesh mesh;
  mesh.X.resize(4, 3);
  mesh.X << a.transpose(), b.transpose(), c.transpose(), d.transpose();
  mesh.T.resize(1, 4);
  mesh.T << 0, 1, 2, 3;
  return mesh;
}

TEST(Quality, regular_tetrahedron_is_the_measure) {
  const MeshQuality q = measure_quality(tet({1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}));
  const double angle = std::acos(1.0 / 3) * 180 / M_PI;
  EXPECT_NEAR(q.least_dihedral, angle, 1e-12);
  EXPECT_NEAR(q.most_dihedral, angle, 1e-12);
  EXPECT_NEAR(q.worst_aspect, 1, 1e-14);
  EXPECT_NEAR(q.volume, 8.0 / 3, 1e-14);
  EXPECT_NEAR(q.least_edge, std::sqrt(8), 1e-14);
}

TEST(Quality, corner_of_a_cube_has_right_angles) {
  const TetMesh mesh = tet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const MeshQuality q = measure_quality(mesh);
  EXPECT_NEAR(q.most_dihedral, 90, 1e-12);
  EXPECT_NEAR(q.least_dihedral, std::acos(1 / std::sqrt(3)) * 180 / M_PI, 1e-12);
  EXPECT_NEAR(q.worst_aspect, std::sqrt(2.0 / 3) * std::sqrt(2) * std::sqrt(3), 1e-14);  // height 1/sqrt(3)
  EXPECT_NEAR(relative_volume(mesh, 0), 1.0 / 6 / std::pow(2, 1.5), 1e-15);
}

TEST(Quality, names_the_worst_element) {
  TetMesh mesh = make_box({1, 1, 1}, {2, 2, 2}, 6);
  mesh.X(13, 0) += 0.49;  // the vertex in the middle, pushed nearly onto a side
  const MeshQuality q = measure_quality(mesh);
  EXPECT_EQ(measure_tets(mesh)[q.worst_tet].aspect, q.worst_aspect);
  EXPECT_GT(q.worst_aspect, 20);
  EXPECT_LT(q.least_dihedral, 5);
  EXPECT_TRUE((mesh.T.row(q.worst_tet).array() == 13).any());
}

TEST(Quality, flat_and_extreme_elements_give_no_nonsense) {
  const TetMesh flat = tet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0});
  EXPECT_EQ(relative_volume(flat, 0), 0);
  EXPECT_TRUE(std::isinf(measure_tets(flat)[0].aspect));
  EXPECT_EQ(relative_volume(tet({1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}), 0), 0);
  for (double scale : {1e-200, 1e200}) {  // the plain volume would be 0 or infinite
    const TetMesh mesh = tet({0, 0, 0}, {scale, 0, 0}, {0, scale, 0}, {0, 0, scale});
    EXPECT_NEAR(relative_volume(mesh, 0), 1.0 / 6 / std::pow(2, 1.5), 1e-14);
  }
  EXPECT_EQ(measure_quality(TetMesh{}).worst_tet, -1);
}

}  // namespace
}  // namespace brio

// Scaling, turning and shifting; fibers follow.

#include "brio/mesh/transform.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/generators/cloth.hpp"

#include "mesh/mesh_checks.hpp"

namespace brio {
namespace {

TEST(Transform, scale_multiplies_volumes_and_stretches_fibers) {
  TetMesh mesh = make_box({1, 1, 1}, {2, 2, 2}, 6);
  mesh.fiber.row(0) = Eigen::RowVector3d(1, 1, 0).normalized();
  scale(mesh, {2, 1, 0.5});
  EXPECT_NEAR(total_volume(mesh), 1, 1e-14);
  EXPECT_DOUBLE_EQ(mesh.X.col(0).maxCoeff(), 2);
  EXPECT_LT((mesh.fiber.row(0) - Eigen::RowVector3d(2, 1, 0).normalized()).norm(), 1e-15);
  EXPECT_EQ(mesh.fiber.row(1).norm(), 0);
}

TEST(Transform, rotate_turns_counterclockwise) {
  TetMesh mesh = make_box({1, 2, 3}, {1, 1, 1}, 6);
  mesh.fiber.row(0) << 1, 0, 0;
  rotate(mesh, {0, 0, 5}, 90);  // x to y, y to -x
  EXPECT_NEAR(mesh.X.col(0).minCoeff(), -2, 1e-15);
  EXPECT_NEAR(mesh.X.col(1).maxCoeff(), 1, 1e-15);
  EXPECT_LT((mesh.fiber.row(0) - Eigen::RowVector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_NEAR(total_volume(mesh), 6, 1e-14);
}

TEST(Transform, spring_nets_move_too) {
  SpringNet net = make_cloth(1, 1, 3, 3, 0, 2);
  scale(net, {2, 2, 2});
  rotate(net, {1, 0, 0}, -90);  // z to y
  translate(net, {0, 0, 7});
  EXPECT_NEAR(net.X.col(1).maxCoeff(), 2, 1e-15);
  EXPECT_NEAR((net.X.col(2).array() - 7).abs().maxCoeff(), 0, 1e-15);
}

TEST(Transform, refuses_factors_axes_and_shifts_without_meaning) {
  TetMesh mesh = make_box({1, 1, 1}, {1, 1, 1}, 6);
  EXPECT_THROW(scale(mesh, {1, -1, 1}), Error);
  EXPECT_THROW(scale(mesh, {1, 0, 1}), Error);
  EXPECT_THROW(scale(mesh, {1, NAN, 1}), Error);
  EXPECT_THROW(rotate(mesh, {0, 0, 0}, 10), Error);
  EXPECT_THROW(rotate(mesh, {0, 0, 1}, INFINITY), Error);
  EXPECT_THROW(translate(mesh, {0, NAN, 1}), Error);
  EXPECT_NEAR(total_volume(mesh), 1, 1e-15);  // refused before anything was changed
}

}  // namespace
}  // namespace brio

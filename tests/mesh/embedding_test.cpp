// Surfaces carried by tetrahedra.

#include "brio/mesh/embedding.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generators/ball.hpp"
#include "brio/mesh/generators/box.hpp"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

MatrixX3d random_points(int count, double reach) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-reach, reach);
  return MatrixX3d::NullaryExpr(count, 3, [&] { return any(random); });
}

TEST(Embedding, follows_an_affine_map_exactly_inside_and_outside) {
  const TetMesh mesh = make_ball(0.5, 0.1, 3);
  const MatrixX3d points = random_points(500, 0.6);  // the ball fills less than a third of that box
  const Embedding skin = embed(mesh, points);
  EXPECT_GT(skin.outside, 200);
  EXPECT_LT(skin.outside, 450);
  Mat3 A;
  A << 1.2, 0.3, -0.1, 0.05, 0.7, 0.4, -0.6, 0.2, 2;
  const Eigen::RowVector3d b(3, -1, 0.5);
  const auto map = [&](const MatrixX3d& x) -> MatrixX3d { return (x * A.transpose()).rowwise() + b; };
  // Rounding: weights of order one to ten from 3x3 inverses of well shaped elements.
  EXPECT_LT((skin.carry(map(mesh.X)) - map(points)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((skin.carry(mesh.X) - points).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((skin.weights.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-13);
}

/// Against every tetrahedron, one by one.
TEST(Embedding, finds_the_tetrahedron_that_holds_the_point) {
  const TetMesh mesh = make_box({1, 1, 1}, {3, 3, 3}, 6, {-0.5, -0.5, -0.5});
  const MatrixX3d points = random_points(300, 0.7);
  const Embedding skin = embed(mesh, points);
  int inside = 0;
  double farthest = 0;
  for (int i = 0; i < 300; ++i) {
    const Eigen::RowVector3d p = points.row(i);
    if (p.cwiseAbs().maxCoeff() <= 0.5) {
      ++inside;
      EXPECT_GE(skin.weights.row(i).minCoeff(), -1e-14) << i;
    } else {
      const Eigen::RowVector3d nearest = p.cwiseMax(-0.5).cwiseMin(0.5);  // of the box
      farthest = std::max(farthest, (p - nearest).norm());
      // The chosen tetrahedron touches the nearest point of the box.
      TetMesh one;
      one.X = mesh.X;
      one.T = skin.corners.row(i);
      EXPECT_GE(embed(one, nearest).weights.minCoeff(), -1e-12) << i;
    }
  }
  EXPECT_EQ(skin.outside, 300 - inside);
  EXPECT_NEAR(skin.farthest, farthest, 1e-14);
}

TEST(Embedding, refuses_what_has_no_place) {
  MatrixX3d point(1, 3);
  point << 0, std::nan(""), 0;
  EXPECT_THROW(embed(make_box({1, 1, 1}, {1, 1, 1}, 6), point), Error);
  EXPECT_THROW(embed(TetMesh(), MatrixX3d::Zero(1, 3)), Error);
}

}  // namespace
}  // namespace brio

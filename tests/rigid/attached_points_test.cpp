// The seam for tissue: what it says of the bones against differences and against the bones' own integrator.

#include "brio/rigid/attached_points.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support/bones.hpp"

namespace brio {
namespace {

using testing::BoneWorld;
using testing::mixed_bones;

const Vec3 kGravity(1, -9, 2);

std::vector<Bone> sprung_bones() {
  std::vector<Bone> bones = mixed_bones();
  for (Bone& bone : bones) {
    if (row_of(bone.joint.kind).springy) bone.joint.stiffness = 4;
    bone.joint.damping = 0.3;
  }
  return bones;
}

VectorXd some(Index n, double by) {
  VectorXd v(n);
  for (Index i = 0; i < n; ++i) v[i] = std::sin(by * static_cast<double>(i + 1));
  return v;
}

struct Seam {
  std::shared_ptr<const Skeleton> skeleton = std::make_shared<const Skeleton>(sprung_bones());
  AttachedPoints points{skeleton, {{{4, 1}, 1}, {{0}, skeleton->find("tool")}}, MatrixX3d::Random(6, 3)};
  VectorXd q = skeleton->rest(), u = some(skeleton->dofs(), 2.3);
  Seam() { points.advance(q, some(skeleton->dofs(), 1.1)); }
  SkeletonStep at(const VectorXd& y) const {
    VectorXd moved = q;
    points.advance(moved, y);
    return points.at(moved, VectorXd::Zero(skeleton->dofs()), kGravity, {});
  }
};

TEST(AttachedPoints, jacobian_force_and_stiffness_are_derivatives) {
  const Seam seam;
  const Index n = seam.skeleton->dofs();
  const SkeletonStep here = seam.at(VectorXd::Zero(n));
  const VectorXd f = some(here.x.size(), 0.7);
  ASSERT_EQ(seam.points.vertices(), (std::vector<int>{4, 1, 0}));
  const double d = 1e-5;
  for (Index j = 0; j < n; ++j) {
    const VectorXd y = d * VectorXd::Unit(n, j);
    const SkeletonStep up = seam.at(y), down = seam.at(-y);
    EXPECT_LT(((up.x - down.x) / (2 * d) - here.B.col(j)).norm(), 1e-8);
    EXPECT_NEAR((up.gravity + up.springs - down.gravity - down.springs) / (2 * d), -here.force[j], 1e-5);
    const auto in_chart = [&](double side, const VectorXd& g) {
      return VectorXd(seam.skeleton->velocity_map(side * y).transpose() * g);
    };
    EXPECT_LT(((in_chart(-1, down.force) - in_chart(1, up.force)) / (2 * d) - here.K.col(j)).norm(),
              1e-7 * here.K.norm());
    const VectorXd change = (in_chart(1, up.B.transpose() * f) - in_chart(-1, down.B.transpose() * f)) / (2 * d);
    EXPECT_LT((change - seam.points.geometric_stiffness(seam.q, f).col(j)).norm(), 1e-7);
  }
}

TEST(AttachedPoints, acceleration_is_that_of_the_bones_alone) {
  const Seam seam;
  const SkeletonStep now = seam.points.at(seam.q, seam.u, kGravity, {});
  const VectorXd acceleration = now.M.llt().solve(now.force - now.D.cwiseProduct(seam.u));
  const BoneWorld world(sprung_bones(), kGravity);
  const double h = 1e-4;
  const auto velocity_after = [&](double step) {
    State state = world.state(seam.q, seam.u);
    world.integrator("rk4").step(*world.system, state, step);
    return world.velocity(state);
  };
  const VectorXd difference = (velocity_after(h) - velocity_after(-h)) / (2 * h);
  ASSERT_GT(acceleration.norm(), 1);
  EXPECT_LT((difference - acceleration).norm(), 1e-4 * acceleration.norm());  // h^2 times the third derivative
}

TEST(AttachedPoints, refuses_what_does_not_exist) {
  const auto skeleton = std::make_shared<const Skeleton>(mixed_bones());
  const MatrixX3d X = MatrixX3d::Zero(3, 3);
  EXPECT_THROW(AttachedPoints(skeleton, {{{0}, 9}}, X), Error);
  EXPECT_THROW(AttachedPoints(skeleton, {{{3}, 0}}, X), Error);
  EXPECT_THROW(AttachedPoints(skeleton, {{{0}, 0}, {{0}, 1}}, X), Error);
}

}  // namespace
}  // namespace brio

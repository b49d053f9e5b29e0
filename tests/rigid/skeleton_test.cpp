// Kinematics and dynamics of skeletons against independent computations: Jacobians by finite differences, the mass
// matrix as a sum over mass points, bias forces from the Lagrangian.

#include "brio/core/error.hpp"
#include "brio/rigid/bone_points.hpp"
#include "brio/rigid/rotation.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support/bones.hpp"

namespace brio {
namespace {

using testing::box_mass;
using testing::joint_of;
using testing::mixed_bones;

VectorXd scattered(Index n, int seed) {
  VectorXd v(n);
  for (Index i = 0; i < n; ++i) v[i] = std::sin(1.7 * static_cast<double>(i + 1) * (seed + 1)) * 0.9;
  return v;
}

/// A configuration far from rest.
VectorXd some_configuration(const Skeleton& skeleton, int seed) {
  VectorXd q = skeleton.rest();
  skeleton.advance(q, scattered(skeleton.dofs(), seed));
  skeleton.advance(q, scattered(skeleton.dofs(), seed + 5));
  return q;
}

VectorXd moved(const Skeleton& skeleton, VectorXd q, const VectorXd& y) {
  skeleton.advance(q, y);
  return q;
}

TEST(Rotation, exp_and_log_undo_each_other) {
  for (double angle : {0.0, 1e-10, 1e-4, 0.5, 3.0, 3.14}) {
    const Vec3 phi = angle * Vec3(1, -2, 0.5).normalized();
    EXPECT_LT((log_rotation(exp_rotation(phi)) - phi).norm(), 1e-14) << angle;
  }
}

TEST(Rotation, dexp_is_the_derivative_of_exp) {
  for (double angle : {0.0, 1e-5, 0.3, 2.0, 4.0}) {
    const Vec3 phi = angle * Vec3(1, -2, 0.5).normalized(), rate(0.4, 0.2, -0.7), second(-0.3, 0.5, 0.1);
    const double d = 1e-5;
    const auto omega = [&](double t) {  // of phi(t) = phi + t rate + t^2/2 second, by differences
      const auto at = [&](double s) { return exp_rotation(phi + s * rate + s * s / 2 * second); };
      return Vec3(log_rotation(at(t + d) * at(t - d).conjugate()) / (2 * d));
    };
    EXPECT_LT((omega(0) - dexp(phi) * rate).norm(), 1e-9) << angle;  // differences are good to d^2
    const Vec3 alpha = (omega(1e-3) - omega(-1e-3)) / 2e-3;
    EXPECT_LT((alpha - dexp(phi) * second - dexp_rate(phi, rate)).norm(), 1e-6) << angle;
  }
}

TEST(BoneShapes, surface_and_inertia_agree) {
  const std::map<std::string, std::map<std::string, OptionValue>> samples = {
      {"box", {{"size", Vec3(1, 2, 0.5)}, {"center", Vec3(1, 0, 3)}, {"rotation", Vec3(0.3, 0.2, 1)}}},
      {"sphere", {{"radius", 0.7}, {"center", Vec3(1, 0, 3)}}},
      {"capsule", {{"from", Vec3(1, 1, 0)}, {"to", Vec3(0, 2, 1)}, {"radius", 0.4}}},
      {"cylinder", {{"from", Vec3(1, 1, 0)}, {"to", Vec3(0, 2, 1)}, {"radius", 0.4}}},
  };
  ASSERT_EQ(samples.size(), bone_shapes().size());
  for (const BoneShapeEntry& row : bone_shapes()) {
    const BoneShape shape = row.make(Options(row.options, samples.at(row.name), row.name));
    // Volume, center and second moments of the polyhedron, by tetrahedra from the origin.
    double volume = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (Index t = 0; t < shape.triangles.rows(); ++t) {
      Mat3 corners;
      for (int i = 0; i < 3; ++i) corners.col(i) = shape.X.row(shape.triangles(t, i)).transpose();
      const double v = corners.determinant() / 6;
      const Vec3 sum = corners.rowwise().sum();
      volume += v;
      first += v / 4 * sum;
      second += v / 20 * (sum * sum.transpose() + corners * corners.transpose());
    }
    const Vec3 center = first / volume;
    second -= volume * center * center.transpose();
    const Mat3 inertia = second.trace() * Mat3::Identity() - second;
    // The inscribed polyhedra of 16 points around (8 from pole to pole) have up to 6 % less volume.
    const double tolerance = row.name == "box" ? 1e-12 : 0.13;
    EXPECT_NEAR(volume / shape.solid.mass, 1, tolerance) << row.name;
    EXPECT_LE(volume, shape.solid.mass * (1 + 1e-12)) << row.name;
    EXPECT_LT((center - shape.solid.center).norm(), 1e-12) << row.name;
    const Mat3 scaled = inertia * std::pow(shape.solid.mass / volume, 5.0 / 3);  // as if it were blown up to the volume
    EXPECT_LT((scaled - shape.solid.inertia).norm() / shape.solid.inertia.norm(), row.name == "box" ? 1e-12 : 0.02)
        << row.name;
  }
}

TEST(Skeleton, axes_are_the_derivatives_of_positions) {
  const Skeleton skeleton(mixed_bones());
  const VectorXd q = some_configuration(skeleton, 1);
  const SkeletonPose pose = skeleton.pose(q);
  const double d = 1e-5;
  for (int b = 0; b < skeleton.bones(); ++b) {
    const Vec3 X(0.3, -0.2, 0.5);
    const MatrixXd B = skeleton.point_jacobian(pose, b, pose.position(b, X));
    for (int j = 0; j < skeleton.dofs(); ++j) {
      const VectorXd y = d * VectorXd::Unit(skeleton.dofs(), j);
      const Vec3 difference =
          (skeleton.pose(moved(skeleton, q, y)).position(b, X) - skeleton.pose(moved(skeleton, q, -y)).position(b, X)) /
          (2 * d);
      EXPECT_LT((difference - B.col(j)).norm(), 1e-9) << b << " " << j;
    }
  }
}

TEST(Skeleton, configuration_is_found_from_points) {
  const auto skeleton = std::make_shared<const Skeleton>(mixed_bones());
  const BonePoints points(skeleton, std::vector<BoneSurface>(skeleton->bones()), 3);
  const VectorXd q = some_configuration(*skeleton, 2), u = scattered(skeleton->dofs(), 3);
  const SkeletonPose pose = skeleton->pose(q);
  VectorXd x(3 * (points.count() + 3)), v(x.size());
  points.put_positions(pose, x);
  points.put_velocities(pose, u, v);
  const SkeletonPose again = skeleton->pose(points.configuration(x));
  for (int b = 0; b < skeleton->bones(); ++b) {
    EXPECT_LT((again.R[b] - pose.R[b]).norm() + (again.t[b] - pose.t[b]).norm(), 1e-13);
  }
  EXPECT_LT((points.velocity(pose, v) - u).norm(), 1e-12);
}

TEST(Skeleton, mass_matrix_is_the_sum_over_points) {
  const auto skeleton = std::make_shared<const Skeleton>(mixed_bones());
  BoneSurface surface;  // some points that share a little of the mass
  surface.X = MatrixX3d::Random(5, 3);
  const BonePoints points(skeleton, std::vector<BoneSurface>(skeleton->bones(), surface));
  const SkeletonPose pose = skeleton->pose(some_configuration(*skeleton, 4));
  MatrixXd M = MatrixXd::Zero(skeleton->dofs(), skeleton->dofs());
  for (int i = 0; i < points.count(); ++i) {
    const int b = points.bone()[i];
    const MatrixXd B = skeleton->point_jacobian(pose, b, pose.position(b, points.rest_positions().row(i).transpose()));
    M += points.mass()[i] * B.transpose() * B;
  }
  EXPECT_LT((M - skeleton->mass_matrix(pose)).norm(), 1e-12 * M.norm());
  EXPECT_NEAR(points.mass().sum(), skeleton->mass(), 1e-12 * skeleton->mass());
}

TEST(Skeleton, bias_is_what_the_lagrangian_says) {
  // In coordinates y about q with u = S(y) y': d/dt (S^T M S y') - d/dy (1/2 y'^T S^T M S y') at y'' = 0 is
  // S^T bias + S^T M S' y' at y = 0, where S = 1.
  const Skeleton skeleton(mixed_bones());
  const VectorXd q = some_configuration(skeleton, 6), rate = scattered(skeleton.dofs(), 7);
  const Index n = rate.size();
  const auto mass = [&](const VectorXd& y) {
    const MatrixXd S = skeleton.velocity_map(y);
    return MatrixXd(S.transpose() * skeleton.mass_matrix(skeleton.pose(moved(skeleton, q, y))) * S);
  };
  const double d = 1e-5;
  VectorXd expected = (mass(d * rate) * rate - mass(-d * rate) * rate) / (2 * d);
  for (Index j = 0; j < n; ++j) {
    const VectorXd y = d * VectorXd::Unit(n, j);
    expected[j] -= 0.5 * rate.dot((mass(y) - mass(-y)) * rate) / (2 * d);
  }
  const SkeletonPose pose = skeleton.pose(q);
  const VectorXd bias =
      skeleton.bias(pose, rate) + skeleton.mass_matrix(pose) * skeleton.velocity_map_rate(VectorXd::Zero(n), rate);
  ASSERT_GT(bias.norm(), 1);
  EXPECT_LT((bias - expected).norm(), 1e-8 * bias.norm());  // d^2 and round-off / d
}

TEST(Skeleton, wrenches_amount_to_their_generalized_force) {
  const auto skeleton = std::make_shared<const Skeleton>(mixed_bones());
  const BonePoints points(skeleton, std::vector<BoneSurface>(skeleton->bones()));
  const SkeletonPose pose = skeleton->pose(some_configuration(*skeleton, 8));
  const VectorXd force = scattered(skeleton->dofs(), 9);
  const std::vector<Wrench> wrenches = skeleton->wrenches(pose, force);
  EXPECT_LT((skeleton->generalized(pose, wrenches) - force).norm(), 1e-13);
  VectorXd x(3 * points.count()), f = VectorXd::Zero(x.size());
  points.put_positions(pose, x);
  points.add_wrenches(pose, wrenches, f);
  EXPECT_LT((points.generalized(pose, x, f) - force).norm(), 1e-13);
}

TEST(Skeleton, geometric_stiffness_is_the_second_derivative) {
  const auto skeleton = std::make_shared<const Skeleton>(mixed_bones());
  const BonePoints points(skeleton, std::vector<BoneSurface>(skeleton->bones()));
  const VectorXd q = some_configuration(*skeleton, 10);
  const VectorXd f = scattered(3 * points.count(), 11);
  const Index n = skeleton->dofs();
  const auto value = [&](const VectorXd& y) {
    VectorXd x(f.size());
    points.put_positions(skeleton->pose(moved(*skeleton, q, y)), x);
    return f.dot(x);
  };
  VectorXd x(f.size());
  const SkeletonPose pose = skeleton->pose(q);
  points.put_positions(pose, x);
  const MatrixXd K = skeleton->geometric_stiffness(pose, points.moments(x, f));
  ASSERT_GT(K.norm(), 1);
  const double d = 1e-3;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const VectorXd a = d * VectorXd::Unit(n, i), b = d * VectorXd::Unit(n, j);
      const double difference = (value(a + b) - value(a - b) - value(b - a) + value(-a - b)) / (4 * d * d);
      EXPECT_NEAR(difference, K(i, j), 1e-5) << i << " " << j;  // d^2 times a fourth derivative of about 10
    }
  }
}

TEST(Skeleton, joint_gradient_and_stiffness_are_derivatives) {
  std::vector<Bone> bones = mixed_bones();
  for (Bone& bone : bones) {
    if (!row_of(bone.joint.kind).has_spring) continue;
    bone.joint.stiffness = 3;
    if (bone.joint.kind != JointKind::spherical) bone.joint.lower = -0.2, bone.joint.rest = 0.3;
    bone.joint.upper = 0.4;
    bone.joint.limit_stiffness = 50;
  }
  const Skeleton skeleton(bones);
  const double d = 1e-5;
  for (int seed : {1, 2, 3}) {
    const VectorXd q = some_configuration(skeleton, seed), g = skeleton.joint_gradient(q);
    const MatrixXd K = skeleton.joint_stiffness(q);
    ASSERT_GT(g.norm(), 1);
    for (Index j = 0; j < g.size(); ++j) {
      const VectorXd y = d * VectorXd::Unit(g.size(), j), up = moved(skeleton, q, y), down = moved(skeleton, q, -y);
      EXPECT_NEAR((skeleton.joint_energy(up) - skeleton.joint_energy(down)) / (2 * d), g[j], 1e-7);
      // By the chart the gradient at y is S^T g; its part that is not symmetric drops out of the mean with the
      // transpose.
      const VectorXd column = (skeleton.velocity_map(y).transpose() * skeleton.joint_gradient(up) -
                               skeleton.velocity_map(-y).transpose() * skeleton.joint_gradient(down)) /
                              (2 * d);
      EXPECT_LT((column - K.col(j)).norm(), 1e-6);
    }
  }
}

void expect_refused(std::vector<Bone> bones, const std::string& words) {
  try {
    Skeleton{std::move(bones)};
    FAIL() << "accepted; expected: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Skeleton, refuses_what_makes_no_sense) {
  const auto changed = [](auto change) {
    std::vector<Bone> bones = mixed_bones();
    change(bones);
    return bones;
  };
  expect_refused({}, "at least one bone");
  expect_refused(changed([](auto& b) { b[1].body.mass = 0; }), "bone \"arm\": mass = 0 kg");
  expect_refused(changed([](auto& b) { b[1].body.inertia(0, 0) = 100; }), "moments of inertia");
  expect_refused(changed([](auto& b) { b[2].parent = "arn"; }), "did you mean \"arm\"");
  expect_refused(changed([](auto& b) { b[1].parent = "tool"; }), "without loops");
  expect_refused(changed([](auto& b) { b[1].parent = "arm"; }), "without loops");
  expect_refused(changed([](auto& b) { b[1].name = "trunk"; }), "two bones are called \"trunk\"");
  expect_refused(changed([](auto& b) { b[2].joint.axis.setZero(); }), "bone \"hand\": axis = [0, 0, 0]");
  expect_refused(changed([](auto& b) { b[2].joint.upper = 1; }), "come in two");
  expect_refused(changed([](auto& b) { b[2].joint.lower = 1, b[2].joint.upper = 0; }), "must be less than");
  expect_refused(changed([](auto& b) { b[0].joint.stiffness = 1; }), "neither spring nor limits");
  expect_refused(changed([](auto& b) { b[1].joint.lower = -1; }), "spherical");
}

TEST(Skeleton, takes_bones_in_any_order) {
  std::vector<Bone> bones = mixed_bones();
  std::reverse(bones.begin(), bones.end());
  const Skeleton skeleton(bones);
  for (int b = 0; b < skeleton.bones(); ++b) EXPECT_LT(skeleton.parent(b), b);
  EXPECT_EQ(skeleton.parent(skeleton.find("tool")), skeleton.find("hand"));
}

}  // namespace
}  // namespace brio

#include "brio/rigid/bone_points.hpp"

#include "brio/core/error.hpp"
#include "brio/linalg/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace brio {
namespace {

// Of a bone's mass, shared by the points of its surface: a vertex must have some, and the six points make up for it.
constexpr double kSurfaceShare = 1e-6;

}  // namespace

MassProperties with_points(const MassProperties& body, const MatrixX3d& X, const VectorXd& mass) {
  MassProperties sum;
  sum.mass = body.mass + mass.sum();
  sum.center = (body.mass * body.center + X.transpose() * mass) / sum.mass;
  const auto about_center = [&](const Vec3& x, double m) {
    const Vec3 r = x - sum.center;
    return Mat3(m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose()));
  };
  sum.inertia = body.inertia + about_center(body.center, body.mass);
  for (Index i = 0; i < X.rows(); ++i) sum.inertia += about_center(X.row(i).transpose(), mass[i]);
  return sum;
}

BonePoints::BonePoints(std::shared_ptr<const Skeleton> skeleton, const std::vector<BoneSurface>& surfaces, int first,
                       const std::vector<BoneGrip>& grips)
    : skeleton_(std::move(skeleton)), first_(first) {
  const int bones = skeleton_->bones();
  Index points = 6 * bones, faces = 0;
  for (const BoneSurface& surface : surfaces) points += surface.X.rows(), faces += surface.triangles.rows();
  own_ = static_cast<int>(points);
  for (const BoneGrip& grip : grips) points += grip.X.rows();
  X_.resize(points, 3);
  mass_.resize(points);
  triangles_.resize(faces, 3);
  for (int i = 0; i < own_; ++i) vertex_.push_back(first_ + i);
  for (int b = 0; b < bones; ++b) bone_.insert(bone_.end(), 6, b);
  Index row = 6 * bones, face = 0;
  for (int b = 0; b < bones; ++b) {
    const Index n = surfaces[b].X.rows(), m = surfaces[b].triangles.rows();
    X_.middleRows(row, n) = surfaces[b].X;
    mass_.segment(row, n).setConstant(kSurfaceShare * skeleton_->bone(b).body.mass / static_cast<double>(n));
    bone_.insert(bone_.end(), n, b);
    triangles_.middleRows(face, m) = surfaces[b].triangles.array() + static_cast<int>(row) + first_;
    row += n;
    face += m;
  }
  for (const BoneGrip& grip : grips) {
    const Index n = grip.X.rows();
    X_.middleRows(row, n) = grip.X;
    mass_.segment(row, n) = grip.mass;
    bone_.insert(bone_.end(), n, grip.bone);
    vertex_.insert(vertex_.end(), grip.vertices.begin(), grip.vertices.end());
    row += n;
  }
  for (int b = 0; b < bones; ++b) {
    std::vector<Index> others;
    for (Index i = 6 * bones; i < points; ++i)
      if (bone_[i] == b) others.push_back(i);
    try {
      six_.push_back(six_points(skeleton_->bone(b).body, X_(others, Eigen::all), mass_(others)));
    } catch (const Error& error) {
      throw Error("bone \"{}\": {}", skeleton_->bone(b).name, error.what());
    }
    const Six& six = six_.back();
    for (int k = 0; k < 6; ++k) {
      X_.row(6 * b + k) = (six.center + (k % 2 == 0 ? 1 : -1) * six.reach[k / 2] * six.axes.col(k / 2)).transpose();
      mass_[6 * b + k] = six.mass / 6;
    }
  }
}

/// What is left of the body when the other points have their masses.
BonePoints::Six BonePoints::six_points(const MassProperties& body, const MatrixX3d& X, const VectorXd& mass) {
  Six six;
  six.mass = body.mass - mass.sum();
  six.center = (body.mass * body.center - X.transpose() * mass) / six.mass;
  const Vec3 off = body.center - six.center;
  const MatrixX3d away = X.rowwise() - six.center.transpose();
  const Mat3 second = body.inertia.trace() / 2 * Mat3::Identity() - body.inertia + body.mass * off * off.transpose() -
                      away.transpose() * mass.asDiagonal() * away;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(second);
  if (!(six.mass > 0 && eigen.eigenvalues()[0] > 0))
    throw Error("its inertia is too small for the size of its shape; give a larger inertia or a smaller shape");
  six.axes = eigen.eigenvectors();
  six.reach = (3 / six.mass * eigen.eigenvalues()).cwiseSqrt();
  return six;
}

std::vector<int> BonePoints::surface_vertices() const {
  std::vector<int> vertices;
  for (int i = 6 * skeleton_->bones(); i < own_; ++i) vertices.push_back(first_ + i);
  return vertices;
}

VectorXd BonePoints::configuration(const VectorXd& x) const {
  std::vector<Mat3> R(six_.size());
  std::vector<Vec3> t(six_.size());
  for (size_t b = 0; b < six_.size(); ++b) {
    const Six& six = six_[b];
    const Eigen::Map<const Eigen::Matrix<double, 3, 6>> p(x.data() + 3 * (first_ + 6 * b));
    Mat3 now;
    for (int k = 0; k < 3; ++k) now.col(k) = (p.col(2 * k) - p.col(2 * k + 1)) / (2 * six.reach[k]);
    R[b] = Eigen::Quaterniond(Mat3(now * six.axes.transpose())).normalized().toRotationMatrix();
    t[b] = p.rowwise().mean() - R[b] * six.center;
  }
  return skeleton_->configuration(R, t);
}

VectorXd BonePoints::velocity(const SkeletonPose& pose, const VectorXd& v) const {
  VectorXd x = VectorXd::Zero(v.size()), momentum = x;
  put_positions(pose, x);
  for (size_t i = 0; i < vertex_.size(); ++i)
    momentum.segment<3>(3 * vertex_[i]) = mass_[i] * v.segment<3>(3 * vertex_[i]);
  return solve_definite(skeleton_->mass_matrix(pose), generalized(pose, x, momentum));
}

void BonePoints::put_positions(const SkeletonPose& pose, VectorXd& x) const {
  for (size_t i = 0; i < vertex_.size(); ++i)
    x.segment<3>(3 * vertex_[i]) = pose.position(bone_[i], X_.row(i).transpose());
}

void BonePoints::put_velocities(const SkeletonPose& pose, const VectorXd& u, VectorXd& v) const {
  const std::vector<Twist> twists = skeleton_->twists(pose, u);
  for (size_t i = 0; i < vertex_.size(); ++i) {
    const Twist& twist = twists[bone_[i]];
    const Vec3 at = pose.position(bone_[i], X_.row(i).transpose());
    v.segment<3>(3 * vertex_[i]) = twist.tail<3>() + Vec3(twist.head<3>()).cross(at);
  }
}

std::vector<ForceMoments> BonePoints::moments(const VectorXd& x, const VectorXd& f) const {
  std::vector<ForceMoments> sum(six_.size());
  for (size_t i = 0; i < vertex_.size(); ++i)
    sum[bone_[i]].add(x.segment<3>(3 * vertex_[i]), f.segment<3>(3 * vertex_[i]));
  return sum;
}

VectorXd BonePoints::generalized(const SkeletonPose& pose, const VectorXd& x, const VectorXd& f) const {
  std::vector<Wrench> wrenches;
  for (const ForceMoments& moment : moments(x, f)) wrenches.push_back(moment.wrench());
  return skeleton_->generalized(pose, wrenches);
}

void BonePoints::add_wrenches(const SkeletonPose& pose, const std::vector<Wrench>& wrenches, VectorXd& f) const {
  for (size_t b = 0; b < six_.size(); ++b) {
    if (wrenches[b].isZero(0)) continue;
    const Six& six = six_[b];
    const Vec3 force = wrenches[b].tail<3>(), center = pose.position(static_cast<int>(b), six.center);
    const Mat3 axes = pose.R[b] * six.axes;
    // In the principal axes the six points have the inertia m/3 (reach_i^2 + reach_j^2) about the third.
    const Vec3 torque = axes.transpose() * (wrenches[b].head<3>() - center.cross(force));
    const Vec3 r2 = six.reach.cwiseAbs2();
    const Vec3 turn = axes * Vec3(torque.array() / (r2.sum() - r2.array()) / 2);  // per sixth of the mass
    for (int k = 0; k < 6; ++k) {
      const Vec3 arm = (k % 2 == 0 ? 1 : -1) * six.reach[k / 2] * axes.col(k / 2);
      f.segment<3>(3 * (first_ + 6 * b + k)) += force / 6 + turn.cross(arm);
    }
  }
}

}  // namespace brio

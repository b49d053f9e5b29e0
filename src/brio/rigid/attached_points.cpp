#include "brio/rigid/attached_points.hpp"

#include "brio/core/error.hpp"

#include <set>

namespace brio {

AttachedPoints::AttachedPoints(std::shared_ptr<const Skeleton> skeleton, const std::vector<AttachedSet>& grips,
                               const MatrixX3d& X)
    : skeleton_(std::move(skeleton)) {
  std::set<int> taken;
  for (const AttachedSet& grip : grips) {
    if (grip.bone < 0 || grip.bone >= skeleton_->bones())
      throw Error("bone {} does not exist: there are {}, counted from 0", grip.bone, skeleton_->bones());
    for (int v : grip.vertices) {
      if (v < 0 || v >= X.rows()) throw Error("vertex {} does not exist: the body has {}", v, X.rows());
      if (!taken.insert(v).second)
        throw Error("vertex {} is attached twice; \"{}\" is the second bone", v, skeleton_->bone(grip.bone).name);
      vertices_.push_back(v);
      bone_.push_back(grip.bone);
    }
  }
  X_ = X(vertices_, Eigen::all);
}

SkeletonStep AttachedPoints::at(const VectorXd& q, const VectorXd& u, const Vec3& gravity,
                                const VectorXd& torque) const {
  const SkeletonPose pose = skeleton_->pose(q);
  SkeletonStep step;
  step.B.resize(3 * X_.rows(), skeleton_->dofs());
  step.x.resize(3 * X_.rows());
  for (Index i = 0; i < X_.rows(); ++i) {
    step.x.segment<3>(3 * i) = pose.position(bone_[i], X_.row(i).transpose());
    step.B.middleRows(3 * i, 3) = skeleton_->point_jacobian(pose, bone_[i], step.x.segment<3>(3 * i));
  }
  std::vector<ForceMoments> weight(skeleton_->bones());
  std::vector<Wrench> wrenches;
  for (int b = 0; b < skeleton_->bones(); ++b) {
    const MassProperties& body = skeleton_->bone(b).body;
    const Vec3 centre = pose.position(b, body.centre);
    weight[b].add(centre, body.mass * gravity);
    wrenches.push_back(weight[b].wrench());
    step.gravity -= body.mass * gravity.dot(centre);
  }
  step.M = skeleton_->mass_matrix(pose);
  step.force = skeleton_->generalised(pose, wrenches) - skeleton_->joint_gradient(q) - skeleton_->bias(pose, u);
  if (torque.size() > 0) step.force += torque;
  step.K = skeleton_->joint_stiffness(q) - skeleton_->geometric_stiffness(pose, weight);
  step.D = skeleton_->joint_damping(q);
  step.kinetic = 0.5 * u.dot(step.M * u);
  step.springs = skeleton_->joint_energy(q);
  return step;
}

MatrixXd AttachedPoints::geometric_stiffness(const VectorXd& q, const VectorXd& f) const {
  const SkeletonPose pose = skeleton_->pose(q);
  std::vector<ForceMoments> forces(skeleton_->bones());
  for (Index i = 0; i < X_.rows(); ++i)
    forces[bone_[i]].add(pose.position(bone_[i], X_.row(i).transpose()), f.segment<3>(3 * i));
  return skeleton_->geometric_stiffness(pose, forces);
}

}  // namespace brio

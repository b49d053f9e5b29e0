#pragma once
// A torque (or, where a joint slides, a force) between a bone and its parent, over time: a motor in the joint.

#include "brio/core/time_profile.hpp"
#include "brio/rigid/bone_points.hpp"
#include "brio/system/load.hpp"

namespace brio {

class JointTorque : public Load {
 public:
  /// Along `direction`: one number for a joint of one degree of freedom, otherwise one for each.
  JointTorque(std::shared_ptr<const BonePoints> points, int bone, VectorXd direction, TimeProfile torque)
      : points_(std::move(points)), bone_(bone), direction_(std::move(direction)), torque_(std::move(torque)) {}

  void add(double t, const VectorXd& x, const VectorXd&, VectorXd& f) const override {
    const Skeleton& skeleton = points_->skeleton();
    VectorXd generalized = VectorXd::Zero(skeleton.dofs());
    generalized.segment(skeleton.first_dof(bone_), direction_.size()) = torque_(t) * direction_;
    const SkeletonPose pose = skeleton.pose(points_->configuration(x));
    points_->add_wrenches(pose, skeleton.wrenches(pose, generalized), f);
  }

 private:
  std::shared_ptr<const BonePoints> points_;
  int bone_;
  VectorXd direction_;
  TimeProfile torque_;  ///< [N m or N]
};

}  // namespace brio

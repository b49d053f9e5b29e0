#include "brio/energy/joint_energy.hpp"

#include "brio/core/error.hpp"

namespace brio {

void JointEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  if (want.hessian) throw Error("joints have no second derivatives by the points of bones; see has_hessian()");
  if (!want.value && !want.gradient) return;
  const Skeleton& skeleton = points_->skeleton();
  const VectorXd q = points_->configuration(x);
  if (want.value) *want.value += skeleton.joint_energy(q, bones_);
  if (!want.gradient) return;
  const SkeletonPose pose = skeleton.pose(q);
  points_->add_wrenches(pose, skeleton.wrenches(pose, skeleton.joint_gradient(q, bones_)), *want.gradient);
}

}  // namespace brio

// What springs, limits and friction in the joints of a skeleton do.

#include "brio/rigid/rotation.hpp"
#include "brio/rigid/skeleton.hpp"

namespace brio {

double Skeleton::coordinate(const VectorXd& q, int bone) const {
  return bones_[bone].joint.kind == JointKind::spherical ? log_rotation(rotation(q, bone)).norm()
                                                         : q[first_coordinate_[bone]];
}

double Skeleton::joint_energy(const VectorXd& q, std::span<const int> bones) const {
  double sum = 0;
  for (int b : bones)
    if (row_of(bones_[b].joint.kind).has_spring) sum += joint_law(bones_[b].joint, coordinate(q, b)).energy;
  return sum;
}

VectorXd Skeleton::joint_gradient(const VectorXd& q, std::span<const int> bones) const {
  VectorXd gradient = VectorXd::Zero(dofs_);
  for (int b : bones) {
    const Joint& joint = bones_[b].joint;
    if (!row_of(joint.kind).has_spring) continue;
    const double slope = joint_law(joint, coordinate(q, b)).slope;
    if (joint.kind == JointKind::spherical) {
      // The angle grows at the rate n.omega, n the direction of the rotation vector.
      gradient.segment<3>(first_dof_[b]) = slope * log_rotation(rotation(q, b)).stableNormalized();
    } else {
      gradient[first_dof_[b]] = slope;
    }
  }
  return gradient;
}

MatrixXd Skeleton::joint_stiffness(const VectorXd& q) const {
  MatrixXd K = MatrixXd::Zero(dofs_, dofs_);
  for (int b = 0; b < bones(); ++b) {
    const Joint& joint = bones_[b].joint;
    if (!row_of(joint.kind).has_spring) continue;
    const int j = first_dof_[b];
    const JointLaw law = joint_law(joint, coordinate(q, b));
    if (joint.kind != JointKind::spherical) {
      K(j, j) = law.curvature;
      continue;
    }
    // Across n the direction itself turns: by cot(angle / 2) / 2 times omega.
    const Vec3 phi = log_rotation(rotation(q, b)), n = phi.stableNormalized();
    const double angle = phi.norm();
    const double across = angle < 1e-6 ? joint.stiffness : law.slope / (2 * std::tan(angle / 2));
    K.block<3, 3>(j, j) = across * Mat3::Identity() + (law.curvature - across) * n * n.transpose();
  }
  return K;
}

VectorXd Skeleton::joint_damping(const VectorXd& q) const {
  VectorXd D = VectorXd::Zero(dofs_);
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    const double damping =
        row.has_spring ? joint_law(bones_[b].joint, coordinate(q, b)).damping : bones_[b].joint.damping;
    D.segment(first_dof_[b], row.dofs).setConstant(damping);
  }
  return D;
}

}  // namespace brio

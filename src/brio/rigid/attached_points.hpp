#pragma once
// The seam between bones and tissue: points of a body that are fixed to bones, and all that one solve for joints and
// tissue together needs of the bones. With q the configuration, u its velocities and f the forces of the tissue on its
// attached points, M u' = force - D u + B^T f, and the attached points move at B u ([conjac] section 5, MUSCLE).

#include "brio/rigid/skeleton.hpp"

#include <memory>

namespace brio {

/// Vertices of a body that belong to a bone.
struct AttachedSet {
  std::vector<int> vertices;
  int bone = 0;
};

/// The bones at one moment.
struct SkeletonStep {
  MatrixXd B;      ///< 3 n x dofs: velocities of the attached points = B u
  VectorXd x;      ///< positions of the attached points, stacked [m]
  MatrixXd M;      ///< mass
  VectorXd force;  ///< weight, motors, springs and limits, less the bias of the changing directions
  MatrixXd K;      ///< stiffness of weight, springs and limits
  VectorXd D;      ///< damping of the joints: diagonal
  double kinetic = 0, gravity = 0, springs = 0;  ///< energies [J]
};

class AttachedPoints {
 public:
  /// X: rest positions of the body's vertices, in the pose in which the bones are described [m]. Throws Error for a
  /// vertex in two grips and for numbers that do not exist.
  AttachedPoints(std::shared_ptr<const Skeleton> skeleton, const std::vector<AttachedSet>& grips, const MatrixX3d& X);

  const Skeleton& skeleton() const { return *skeleton_; }
  const std::vector<int>& vertices() const { return vertices_; }  ///< in the order of the rows of B and x

  /// `torque` is that of motors, one number per degree of freedom; may be empty.
  SkeletonStep at(const VectorXd& q, const VectorXd& u, const Vec3& gravity, const VectorXd& torque) const;
  /// q + y (see Skeleton::advance); with y = h u a step of first order.
  void advance(VectorXd& q, const VectorXd& y) const { skeleton_->advance(q, y); }
  /// How the force of the tissue on its attached points, if it went with them unchanged, would change with the
  /// configuration: to be taken from K ([conjac] leaves it out).
  MatrixXd geometric_stiffness(const VectorXd& q, const VectorXd& f) const;

 private:
  std::shared_ptr<const Skeleton> skeleton_;
  std::vector<int> vertices_, bone_;
  MatrixX3d X_;
};

}  // namespace brio

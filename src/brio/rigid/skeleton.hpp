#pragma once
// Rigid bodies in a tree of joints, in reduced coordinates (Featherstone 2008; [CONJAC] section 5 couples tissue to
// such a tree). A configuration q is a list of angles, displacements and unit quaternions; velocities u have one number
// per degree of freedom. All vectors are in world axes. A twist is (angular velocity, velocity of the point that is now
// at the origin), a wrench is (torque about the origin, force), so that a wrench times a twist is power.

#include "brio/rigid/bone_shapes.hpp"
#include "brio/rigid/joint.hpp"

#include <Eigen/Geometry>

#include <span>

namespace brio {

using Twist = Eigen::Matrix<double, 6, 1>;
using Wrench = Eigen::Matrix<double, 6, 1>;
using Twists = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// A rigid body, described where it is in the rest pose.
struct Bone {
  std::string name;
  std::string parent;  ///< name of the bone it hangs on; "" for the world
  Joint joint;
  MassProperties body;
};

/// Where the bones are at one configuration, and how each degree of freedom moves them.
struct SkeletonPose {
  std::vector<Mat3> R;  ///< a point of bone b that is at X in the rest pose is at R[b] X + t[b]
  std::vector<Vec3> t;  ///< [m]
  Twists axes;          ///< a column per degree of freedom: the twist that a unit velocity adds to all that hangs on it

  Vec3 position(int bone, const Vec3& X) const { return R[bone] * X + t[bone]; }
};

/// Forces on the points of one bone: their sum G [N] and H = sum of x f^T [N m], from which come the wrench and how it
/// changes when the bone moves.
struct ForceMoments {
  Vec3 G = Vec3::Zero();
  Mat3 H = Mat3::Zero();

  void add(const Vec3& x, const Vec3& f) {
    G += f;
    H += x * f.transpose();
  }
  Wrench wrench() const;
};

class Skeleton {
 public:
  /// Bones in any order. Throws Error, naming the bone, for an unknown parent, a loop, a body without mass or with an
  /// impossible inertia, an axis of length zero and limits that make no sense.
  explicit Skeleton(std::vector<Bone> bones);

  int bones() const { return static_cast<int>(bones_.size()); }
  int dofs() const { return dofs_; }                   ///< length of u
  int coordinates() const { return coordinates_; }     ///< length of q
  const Bone& bone(int b) const { return bones_[b]; }  ///< parents come before their children
  int parent(int b) const { return parent_[b]; }       ///< -1: the world
  int first_dof(int b) const { return first_dof_[b]; }
  int find(const std::string& name) const;  ///< throws Error where there is none
  double mass() const;                      ///< of all bones [kg]
  bool damped() const { return damped_; }
  const std::vector<int>& all_bones() const { return all_bones_; }

  VectorXd rest() const;  ///< the configuration in which the bones were described
  /// q + y: angles and displacements grow by y, rotations are turned by exp(y) in the parent's axes.
  void advance(VectorXd& q, const VectorXd& y) const;
  /// The matrix S with u = S(y) y' for q(t) = base + y(t): blocks of 1 and of dexp.
  MatrixXd velocity_map(const VectorXd& y) const;
  /// S'(y, y') y', the second term of u' = S y'' + S' y'.
  VectorXd velocity_map_rate(const VectorXd& y, const VectorXd& rate) const;
  /// The largest angle by which y turns a rotation [rad].
  double largest_turn(const VectorXd& y) const;

  SkeletonPose pose(const VectorXd& q) const;
  /// The configuration of bones that are at R, t; where joints do not allow that, of the nearest that they do.
  VectorXd configuration(const std::vector<Mat3>& R, const std::vector<Vec3>& t) const;

  std::vector<Twist> twists(const SkeletonPose& pose, const VectorXd& u) const;
  /// u^T M u / 2 is the kinetic energy (composite rigid bodies) [kg m^2 …].
  MatrixXd mass_matrix(const SkeletonPose& pose) const;
  /// Velocity-dependent forces of M u' + bias = force, by recursive Newton-Euler with u' = 0.
  VectorXd bias(const SkeletonPose& pose, const VectorXd& u) const;
  /// The generalized force of wrenches on the bones.
  VectorXd generalized(const SkeletonPose& pose, const std::vector<Wrench>& wrenches) const;
  /// Wrenches on each bone and, opposite, on its parent that amount to a generalized force.
  std::vector<Wrench> wrenches(const SkeletonPose& pose, const VectorXd& generalized) const;
  /// How the generalized force of forces that keep their value and their points changes with the configuration:
  /// d2(sum f.x)/(dy dy) at y = 0.
  MatrixXd geometric_stiffness(const SkeletonPose& pose, const std::vector<ForceMoments>& forces) const;
  /// The 3 x dofs matrix B with velocity = B u of the point of the bone that is now at x.
  MatrixXd point_jacobian(const SkeletonPose& pose, int bone, const Vec3& x) const;

  /// The coordinate of a joint with a spring or limits (see Joint).
  double coordinate(const VectorXd& q, int bone) const;
  /// Energy of the springs and limits in the joints of some bones, or of all [J], and its gradient by u.
  double joint_energy(const VectorXd& q, std::span<const int> bones) const;
  double joint_energy(const VectorXd& q) const { return joint_energy(q, all_bones_); }
  VectorXd joint_gradient(const VectorXd& q, std::span<const int> bones) const;
  VectorXd joint_gradient(const VectorXd& q) const { return joint_gradient(q, all_bones_); }
  /// Of all joints, the second derivative and the diagonal damping by u.
  MatrixXd joint_stiffness(const VectorXd& q) const;
  VectorXd joint_damping(const VectorXd& q) const;

 private:
  void sort_bones();
  void check_bones() const;
  void choose_limit_stiffness();
  Eigen::Quaterniond rotation(const VectorXd& q, int bone) const;

  std::vector<Bone> bones_;
  std::vector<int> all_bones_, parent_, first_dof_, first_coordinate_;
  int dofs_ = 0, coordinates_ = 0;
  bool damped_ = false;
};

}  // namespace brio

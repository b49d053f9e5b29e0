#pragma once
// The joint between a bone and its parent: kinematics, spring, limits and damping.

#include "brio/core/types.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace brio {

enum class JointKind { fixed, revolute, prismatic, spherical, free };

/// A row of the table of joints.
struct JointRow {
  const char* name;
  JointKind kind;
  const char* summary;
  int dofs;         ///< velocities
  int coordinates;  ///< numbers of a configuration: a rotation has four, a unit quaternion (x y z w)
  int turning;      ///< which of the dofs, from this one on, are angular velocities
  bool has_axis;
  bool has_spring;  ///< may have a spring and limits
};
const std::vector<JointRow>& joint_rows();
const JointRow& row_of(JointKind kind);

/// Its coordinate c is the angle about the axis [rad], the displacement along the axis [m], or the angle from the rest
/// pose [rad] (spherical). Angles are counted within half a turn of the middle of the limits, or of the spring's rest.
struct Joint {
  JointKind kind = JointKind::fixed;
  Vec3 anchor = Vec3::Zero();  ///< where it is in the rest pose; all that turns, turns about it [m]
  Vec3 axis = Vec3::UnitX();   ///< of revolute and prismatic, in the rest pose; of any length but zero
  double stiffness = 0;        ///< of a spring towards `rest` [N m/rad or N/m]
  double rest = 0;             ///< where the spring is slack; 0 for spherical [rad or m]
  double damping = 0;          ///< of all its motion [N m s/rad or N s/m]
  double lower = -std::numeric_limits<double>::infinity();  ///< limits of c; spherical has the upper one only
  double upper = std::numeric_limits<double>::infinity();
  double limit_stiffness = 0;  ///< of the one-sided spring beyond a limit; 0: one that suits the weight it carries
  double limit_damping = 0;    ///< beyond a limit only

  bool limited() const { return std::isfinite(lower) || std::isfinite(upper); }
  bool damped() const { return damping > 0 || (limited() && limit_damping > 0); }
};

/// Energy of spring and limits at the coordinate, its derivatives, and the damping there.
struct JointLaw {
  double energy = 0;     ///< [J]
  double slope = 0;      ///< [N m or N]
  double curvature = 0;  ///< [N m/rad or N/m]
  double damping = 0;    ///< [N m s/rad or N s/m]
};
JointLaw joint_law(const Joint& joint, double c);

}  // namespace brio

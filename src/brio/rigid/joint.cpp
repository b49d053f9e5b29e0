#include "brio/rigid/joint.hpp"

#include <cmath>
#include <numbers>

namespace brio {
namespace {

/// The angle nearest to the middle of the limits, or to the spring's rest, of those that are whole turns apart.
double counted(const Joint& joint, double angle) {
  const double middle =
      std::isfinite(joint.lower) && std::isfinite(joint.upper) ? (joint.lower + joint.upper) / 2 : joint.rest;
  return middle + std::remainder(angle - middle, 2 * std::numbers::pi);
}

}  // namespace

const std::vector<JointRow>& joint_rows() {
  static const std::vector<JointRow> table = {
      {"fixed", JointKind::fixed, "does not move against its parent", 0, 0, 0, false, false},
      {"revolute", JointKind::revolute, "turns about an axis, as a hinge", 1, 1, 0, true, true},
      {"prismatic", JointKind::prismatic, "slides along an axis", 1, 1, 1, true, true},
      {"spherical", JointKind::spherical, "turns every way about the anchor, as a ball in its socket", 3, 4, 0, false,
       true},
      {"free", JointKind::free, "moves and turns every way; only for what nothing holds", 6, 7, 3, false, false},
  };
  return table;
}

const JointRow& row_of(JointKind kind) { return joint_rows()[static_cast<size_t>(kind)]; }

JointLaw joint_law(const Joint& joint, double c) {
  if (joint.kind == JointKind::revolute) c = counted(joint, c);
  JointLaw law;
  const auto add_spring = [&](double stiffness, double stretch) {
    law.energy += stiffness / 2 * stretch * stretch;
    law.slope += stiffness * stretch;
    law.curvature += stiffness;
  };
  law.damping = joint.damping;
  add_spring(joint.stiffness, c - joint.rest);
  const double beyond = c > joint.upper ? c - joint.upper : c < joint.lower ? c - joint.lower : 0;
  if (beyond != 0) {
    add_spring(joint.limit_stiffness, beyond);
    law.damping += joint.limit_damping;
  }
  return law;
}

}  // namespace brio

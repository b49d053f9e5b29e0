#pragma once
// Coulomb's friction between surfaces with a normal force that is known from before (Li et al. 2020, section 5): a
// potential of the way along the surface. There the way is that of one step; here it is that of the contact since it
// began to hold, so that what lies does not creep.

#include "brio/collide/contact_potential.hpp"

namespace brio {

/// One contact with its normal force and direction as they were when it was found.
struct FrictionContact {
  ContactKey key;
  std::array<int, 4> vertex;  ///< negative where there are fewer
  std::array<double, 4> weight;
  Vec3 normal;
  double limit;  ///< Coulomb's coefficient times the normal force [N]
  Vec3 stretch;  ///< at the beginning of the step, less what the second side is moved by itself [m]

  FrictionContact(const ActiveContact& contact, const Vec3& stretch_before)
      : key(contact.key),
        vertex(contact.vertex),
        weight(contact.weight),
        normal(contact.normal),
        limit(contact.friction * contact.force),
        stretch(along(stretch_before - contact.carried)) {}

  Vec3 along(const Vec3& way) const { return way - normal.dot(way) * normal; }
};

/// The potential of one contact after a way along the surface [m], with derivatives. Up to the stretch `held` the force
/// grows with it; beyond, it is Coulomb's.
struct FrictionForce {
  double value;   ///< [J]
  Vec3 gradient;  ///< by the way [N]
  /// [N/m]: sliding, the second derivative. Holding, that of a parabola above the potential, the same in all
  /// directions: the true one goes to zero along the stretch where it begins to slide, and iterations would step over
  /// what still holds.
  Mat3 stiffness;
  Vec3 stretch;  ///< after it [m]

  FrictionForce(const FrictionContact& contact, const Vec3& way, double held) {
    stretch = contact.stretch + contact.along(way);
    const double length = stretch.norm(), s = length / held;
    const Mat3 plane = Mat3::Identity() - contact.normal * contact.normal.transpose();
    if (s < 1) {  // f(s) = 2 s - s^2
      value = contact.limit * held * (s * s - s * s * s / 3 + 1.0 / 3);
      gradient = contact.limit * (2 - s) / held * stretch;
      stiffness = contact.limit * (2 - s) / held * plane;
    } else {
      value = contact.limit * length;
      gradient = contact.limit / length * stretch;
      stiffness = contact.limit / length * (plane - stretch * stretch.transpose() / (length * length));
      stretch *= held / length;  // what slides keeps the stretch that it can hold
    }
  }
};

}  // namespace brio

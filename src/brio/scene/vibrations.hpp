#pragma once
// The vibration modes of a scene's body in the shape in which its state has it: frequencies, shapes, and how much of
// the mass takes part when the ground shakes.

#include "brio/scene/simulation.hpp"

namespace brio {

struct Vibration {
  bool rigid = false;  ///< a rigid motion of a free piece: lambda is zero but for rounding
  double lambda = 0;   ///< omega^2; negative where the shape is unstable [1/s^2]
  VectorXd shape;      ///< over the degrees of freedom, with unit modal mass [1/sqrt(kg)]
  /// Effective modal mass over the mass that is free to move, for shaking along x, y and z. Over all modes each
  /// direction adds up to 1.
  Vec3 mass_share = Vec3::Zero();
  /// In a scene with "bodies": the name of the one that moves most, and its part of the modal mass.
  std::string body;
  double body_share = 1;

  bool unstable() const { return !rigid && lambda < 0; }
  double omega() const;      ///< [rad/s]; 0 for rigid motions, the rate of growth [1/s] where unstable
  double frequency() const;  ///< [Hz]; 0 where nothing swings
};

/// Rigid motions first, then the `count` slowest elastic modes, or as many as the body has. Supports, obstacles and
/// attachments are taken as they are at the time of the simulation's state. Throws Error when nothing can move, when
/// the modes do not converge, or when the stiffness is not finite.
std::vector<Vibration> find_vibrations(const Simulation& simulation, int count);

}  // namespace brio

#pragma once
// How well a constant matrix stands in for the stiffness ([QN]; see Material::projective_weight).

namespace brio {

/// The true stiffness at rest over the constant one; 1 where they are the same.
struct ProjectiveFit {
  double least = 1;  ///< against a change of shape at the same volume, which nearly incompressible laws resist least
  double most = 1;   ///< against a change of volume; beyond 2, whole steps with the constant matrix overshoot

  /// Of two together, the worse.
  ProjectiveFit& operator+=(const ProjectiveFit& other) {
    if (other.least < least) least = other.least;
    if (other.most > most) most = other.most;
    return *this;
  }
};

}  // namespace brio

#pragma once
// Stress and energy of a law under simple stretches, for display.

#include "brio/material/material.hpp"

#include <string>
#include <vector>

namespace brio {

/// One way to stretch a cube along x.
enum class Sides {
  held,     ///< the others keep their length: what [QN] eq. 10 looks at
  free,     ///< the others follow without stress: a tension test
  together  ///< all three are stretched alike: pressure
};

struct StretchPoint {
  double stress;  ///< first Piola-Kirchhoff, along x [Pa]
  double energy;  ///< [J/m^3]
};

/// Not a number where no lateral stretch frees the sides of stress.
StretchPoint stretched(const Material& material, const Vec3& fiber, double stretch, Sides sides);

}  // namespace brio

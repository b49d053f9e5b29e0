#pragma once
// The potential that keeps surfaces apart, as a function of the gap between them: nothing from `range` on, and growing
// without bound as the gap closes (Li et al. 2020, equation 6, made free of units).

#include <cmath>

namespace brio {

/// Value and derivatives of k r^2 b(g / r) with b(s) = -(s - 1)^2 ln s, for a gap 0 < g < range.
struct Barrier {
  double value;   ///< [J]
  double slope;   ///< by the gap, never positive [N]
  double second;  ///< positive [N/m]

  /// `stiffness` in N/m.
  Barrier(double gap, double range, double stiffness) {
    const double s = gap / range, below = s - 1, log_s = std::log(s);
    value = -stiffness * range * range * below * below * log_s;
    slope = -stiffness * range * below * (2 * log_s + below / s);
    second = -stiffness * (2 * log_s + 4 * below / s - below * below / (s * s));
  }
};

}  // namespace brio

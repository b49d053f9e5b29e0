#pragma once
// Closed forms of what one step does to the undamped oscillator x'' = -omega^2 x, with z = h omega.

#include <algorithm>
#include <cmath>

namespace brio {

/// The largest modulus of the eigenvalues of a 2x2 matrix.
inline double spectral_radius(double trace, double determinant) {
  const double half = trace / 2, discriminant = half * half - determinant;
  if (discriminant < 0) return std::sqrt(determinant);
  return std::fabs(half) + std::sqrt(discriminant);
}

/// The damping d of x'' + d x' + omega^2 x = 0 whose amplitude exp(-d t / 2) shrinks by rho in a step h [s]: [ERE] eq.
/// 6, as a rate [1/s]. Negative where the method gains.
inline double damping_rate(double rho, double h) { return 2 * std::log(1 / rho) / h; }

}  // namespace brio

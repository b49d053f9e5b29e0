#pragma once
// Estimates of the slowest and the fastest vibrations of a body, in bounded time. A few percent are accurate enough to
// choose a method, and an exact search would have to find each of the thousands of zero modes of a flat spring net.
// `brio modes` is exact.

#include "brio/system/system.hpp"

#include <vector>

namespace brio {

struct Spectrum {
  int zero_modes = 0;        ///< directions without stiffness among those seen: rigid motions, folding of flat nets
  int unstable = 0;          ///< directions in which the shape buckles, among those seen
  std::vector<double> slow;  ///< the slowest elastic modes, omega from above, increasing [rad/s]
  MatrixXd shapes;           ///< a column each, over the degrees of freedom, with unit modal mass [1/sqrt(kg)]
  double fastest = 0;        ///< omega, from below [rad/s]
};

/// Of the stiffness that `lin` has assembled; factors it. At most `most` slow modes; none where the stiffness
/// cannot be factored with any of a few shifts. `free` bodies have rigid motions.
Spectrum estimate_spectrum(Linearization& lin, const VectorXd& mass, bool free, int most);

}  // namespace brio

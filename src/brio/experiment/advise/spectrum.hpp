#pragma once
// The slowest and the fastest vibrations of a body, roughly and in bounded time: for choosing a method a few percent
// are good enough, and a net that is flat has thousands of directions without stiffness, of which an exact search would
// want to know each. `brio modes` is exact.

#include "brio/system/system.hpp"

#include <vector>

namespace brio {

struct Spectrum {
  int still = 0;             ///< directions without stiffness among those seen: rigid motions, folding of flat nets
  int unstable = 0;          ///< directions in which the shape buckles, among those seen
  std::vector<double> slow;  ///< the slowest elastic modes, omega from above, increasing [rad/s]
  MatrixXd shapes;           ///< a column each, over the degrees of freedom, with unit modal mass [1/sqrt(kg)]
  double fastest = 0;        ///< omega, from below [rad/s]
};

/// Of the stiffness that `lin` has assembled; factors it. At most `most` slow modes; none where the stiffness
/// cannot be factored with any of a few shifts. `free` bodies have rigid motions.
Spectrum look_at_spectrum(Linearization& lin, const VectorXd& mass, bool free, int most);

}  // namespace brio

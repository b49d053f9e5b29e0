#pragma once
// The matrix of a step, A = M + h D + h^2 K. A method that has factored it about the beginning of its step may lend it
// to whoever ends the step.

#include "brio/system/system.hpp"

namespace brio {

class MatrixLender {
 public:
  virtual ~MatrixLender() = default;
  /// The factored matrix of the step of length h that was taken last; null where that step had another one.
  virtual Linearization* step_matrix(double h) = 0;
};

/// y = (M + h D + h^2 K) x; `scratch` is overwritten where there is damping.
inline void multiply_step_matrix(const System& system, const Linearization& lin, double h, const VectorXd& x,
                                 VectorXd& y, VectorXd& scratch) {
  lin.multiply_stiffness(x, y);
  y = h * h * y + system.mass().cwiseProduct(x);
  if (!system.has_damping()) return;
  lin.multiply_damping(x, scratch);
  y += h * scratch;
}

}  // namespace brio

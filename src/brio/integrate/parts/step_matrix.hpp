#pragma once
// A method that has factored A = M + h D + h^2 K about the beginning of its step may lend it to whoever ends the step.

#include "brio/system/system.hpp"

namespace brio {

class MatrixLender {
 public:
  virtual ~MatrixLender() = default;
  /// The factored matrix of the step of length h that was taken last; null where that step had another one.
  virtual Linearization* step_matrix(double h) = 0;
};

}  // namespace brio

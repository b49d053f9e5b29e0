#include "brio/linalg/dense_exponential.hpp"

#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

namespace brio {

MatrixXd dense_exponential(const MatrixXd& A) {
  // The number of squarings follows from the norm, which must be a number for that.
  constexpr double kLargest = 1e6;  // squaring that often leaves ten digits of an oscillation at best
  if (!(A.cwiseAbs().colwise().sum().maxCoeff() < kLargest))
    return MatrixXd::Constant(A.rows(), A.cols(), std::numeric_limits<double>::quiet_NaN());
  return A.exp();
}

}  // namespace brio

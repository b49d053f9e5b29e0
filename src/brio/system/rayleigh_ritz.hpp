#pragma once
// Rayleigh-Ritz on stiffness and mass in a space of a few vectors: the best vibration modes that the space has.
// Allocates nothing when used again on spaces of the same size.

#include "brio/linalg/dense.hpp"
#include "brio/system/system.hpp"

namespace brio {

class RayleighRitz {
 public:
  /// Solves W^T K W Y = W^T M W Y Lambda; the columns of W are scaled to unit M-norm first. False when they depend on
  /// each other to working precision or are not finite.
  bool solve(const Linearization& lin, const VectorXd& mass, MatrixXd& W);

  const VectorXd& lambda() const { return lambda_; }              ///< increasing [1/s^2]
  const MatrixXd& coefficients() const { return coefficients_; }  ///< Y: the modes are W Y
  const MatrixXd& images() const { return KW_; }                  ///< K W

 private:
  MatrixXd KW_, MW_, a_, b_, reduced_, coefficients_;
  std::vector<double> scratch_;
  Eigen::LLT<MatrixXd> cholesky_;
  SymmetricEigen eigen_;
  VectorXd lambda_;
};

}  // namespace brio

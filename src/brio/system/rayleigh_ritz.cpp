#include "brio/system/rayleigh_ritz.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/tall_products.hpp"

#include <cmath>

namespace brio {

bool RayleighRitz::solve(const Linearization& lin, const VectorXd& mass, MatrixXd& W) {
  constexpr double kDependent = 1e-12;  // of a unit vector's square: what is left of it outside the others
  const Index n = W.rows(), m = W.cols();
  KW_.resize(n, m);
  MW_.resize(n, m);
  parallel_for(static_cast<int>(m), 1, [&](int begin, int end) {
    for (Index j = begin; j < end; ++j) {
      MW_.col(j) = mass.cwiseProduct(W.col(j));
      const double length = std::sqrt(W.col(j).dot(MW_.col(j)));
      W.col(j) /= length;
      MW_.col(j) /= length;
    }
  });
  lin.multiply_stiffness_block(W, KW_);
  multiply_transposed(W, KW_, a_, scratch_);
  multiply_transposed(W, MW_, b_, scratch_);
  if (!a_.allFinite() || !b_.allFinite()) return false;
  cholesky_.compute(b_);  // reads the lower triangle alone
  if (cholesky_.info() != Eigen::Success || cholesky_.matrixLLT().diagonal().minCoeff() < std::sqrt(kDependent)) {
    return false;
  }
  // L^-1 a L^-T y' = lambda y', y = L^-T y'
  cholesky_.matrixL().solveInPlace(a_);
  reduced_ = a_.transpose();
  cholesky_.matrixL().solveInPlace(reduced_);
  if (!eigen_.compute(reduced_, lambda_, coefficients_)) return false;
  cholesky_.matrixU().solveInPlace(coefficients_);
  return true;
}

}  // namespace brio

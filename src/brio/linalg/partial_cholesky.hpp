#pragma once
// A Cholesky factorization that stops before the last rows of a matrix, for one that is divided among processes: each
// eliminates what only it knows, and what that leaves for the rows that they share (the Schur complement) is added up.

#include "brio/linalg/cholesky_backend.hpp"

namespace brio {

/// With the last rows k and all others i: A_ii = L L^T is factored. Where no rows are kept, solve() solves.
class PartialCholesky : public CholeskyBackend {
 public:
  using CholeskyBackend::CholeskyBackend;

  /// A_kk - A_ki A_ii^-1 A_ik, counted from the first row that is kept; column <= row.
  virtual double left_over(Index row, Index column) const = 0;

  /// The entries of b that are kept become b_k - A_ki A_ii^-1 b_i; the others are remembered ...
  virtual void forward_single_precision(Eigen::Ref<MatrixXd> b) = 0;
  /// ... and with the solution in the entries that are kept, x_i = A_ii^-1 (b_i - A_ik x_k).
  virtual void backward_single_precision(Eigen::Ref<MatrixXd> x) = 0;
};

/// Keeps the last `kept` block rows.
std::unique_ptr<PartialCholesky> make_partial_cholesky(std::shared_ptr<const BlockPattern> pattern, int kept);

}  // namespace brio

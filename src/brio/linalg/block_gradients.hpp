#pragma once
// Conjugate gradients with a preconditioner for several right-hand sides at a time: each has its own coefficients, and
// they share the passes over the matrix and over the preconditioner, which are most of the time; who is done takes part
// no longer. All sums have the same order for any number of threads.

#include "brio/linalg/block_matrix.hpp"

#include <span>
#include <vector>

namespace brio {

/// A symmetric positive definite operator near the inverse of the matrix.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// Z = P R; as many columns as R has.
  virtual void apply(const Eigen::Ref<const MatrixXd>& R, Eigen::Ref<MatrixXd> Z) = 0;
};

/// What the iterations for a block came to.
struct GradientsReport {
  int iterations = 0;       ///< of the column that took longest
  int applications = 0;     ///< of the preconditioner
  int columns = 0;          ///< to which it was applied, in all
  bool converged = false;   ///< all columns
  bool indefinite = false;  ///< a direction was met along which the matrix is not positive
};

class BlockGradients {
 public:
  /// Columns that are iterated together.
  static constexpr int kWidth = 8;

  /// Solves A X = B for up to kWidth columns, from the best multiples of the X that are given, until the error of each
  /// column is its `tolerance` of its solution, both in the norm of A as far as the preconditioner knows it, or `most`
  /// times.
  GradientsReport solve(const BlockMatrix& A, Preconditioner& preconditioner, const Eigen::Ref<const MatrixXd>& B,
                        Eigen::Ref<MatrixXd> X, std::span<const double> tolerance, int most);

 private:
  MatrixXd residual_, direction_, product_, z_;
  std::vector<double> work_;
};

}  // namespace brio

#pragma once
// Dense factors and eigenvalues as plain functions, compiled once: for matrices of a few dozen rows outside of the
// loops over elements, where what Eigen's templates save at run time is less than what they cost to compile.

#include "brio/core/types.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace brio {

/// A = L L^T.
class DenseCholesky {
 public:
  void compute(const MatrixXd& A);
  bool ok() const { return llt_.info() == Eigen::Success; }
  VectorXd solve(const VectorXd& b) const;            ///< A^-1 b
  void solve_in_place(Eigen::Ref<MatrixXd> B) const;  ///< A^-1 B
  VectorXd upper_times(const VectorXd& x) const;      ///< L^T x
  VectorXd solve_upper(const VectorXd& b) const;      ///< L^-T b
  MatrixXd solve_upper(const MatrixXd& B) const;
  VectorXd solve_lower(const VectorXd& b) const;  ///< L^-1 b

 private:
  Eigen::LLT<MatrixXd> llt_;
};

/// Eigenvalues, increasing, and eigenvectors of symmetric matrices. Allocates nothing for another matrix of the same size.
class SymmetricEigen {
 public:
  bool compute(MatrixXd& A, VectorXd& lambda, MatrixXd& Y);  ///< scales A; false where the iteration does not settle

 private:
  Eigen::Tridiagonalization<MatrixXd> tridiagonal_;
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen_;
  MatrixXd Q_;
  VectorXd diagonal_, below_, work_;
};

/// A^-1 b for positive definite A, and for any A.
VectorXd solve_definite(const MatrixXd& A, const VectorXd& b);
VectorXd solve_general(const MatrixXd& A, const VectorXd& b);

/// A B and A^T B of any pieces of matrices, and C + A^T B.
MatrixXd product(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B);
MatrixXd transposed_product(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B);
VectorXd product_with(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const VectorXd>& x);
VectorXd transposed_product_with(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const VectorXd>& x);
void add_transposed_product(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B, MatrixXd& C);

MatrixXd congruence(const MatrixXd& T, const MatrixXd& A);                  ///< T^T A T
MatrixXd diagonal_congruence(const MatrixXd& T, const VectorXd& diagonal);  ///< T^T diag T

/// The symmetric matrix with its negative eigenvalues replaced by zero.
MatrixXd without_negative_eigenvalues(const MatrixXd& A);

/// The largest absolute eigenvalue.
double spectral_radius(const MatrixXd& A);

}  // namespace brio

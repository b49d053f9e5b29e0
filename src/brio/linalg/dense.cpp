#include "brio/linalg/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace brio {

void DenseCholesky::compute(const MatrixXd& A) { llt_.compute(A); }
VectorXd DenseCholesky::solve(const VectorXd& b) const { return llt_.solve(b); }
void DenseCholesky::solve_in_place(Eigen::Ref<MatrixXd> B) const { llt_.solveInPlace(B); }
VectorXd DenseCholesky::upper_times(const VectorXd& x) const { return llt_.matrixU() * x; }
VectorXd DenseCholesky::solve_upper(const VectorXd& b) const { return llt_.matrixU().solve(b); }
MatrixXd DenseCholesky::solve_upper(const MatrixXd& B) const { return llt_.matrixU().solve(B); }
VectorXd DenseCholesky::solve_lower(const VectorXd& b) const { return llt_.matrixL().solve(b); }

bool SymmetricEigen::compute(MatrixXd& A, VectorXd& lambda, MatrixXd& Y) {
  // SelfAdjointEigenSolver::compute in its parts: as a whole it allocates. It, too, begins with scaling, without which
  // the iteration on the tridiagonal matrix does not know what is small.
  const double size = A.cwiseAbs().maxCoeff();
  if (size > 0) A /= size;
  tridiagonal_.compute(A);
  diagonal_ = tridiagonal_.diagonal();
  below_ = tridiagonal_.subDiagonal();
  eigen_.computeFromTridiagonal(diagonal_, below_);
  if (eigen_.info() != Eigen::Success) return false;
  lambda = (size > 0 ? size : 1) * eigen_.eigenvalues();
  tridiagonal_.matrixQ().evalTo(Q_, work_);
  Y.noalias() = Q_ * eigen_.eigenvectors();
  return true;
}

VectorXd solve_definite(const MatrixXd& A, const VectorXd& b) { return A.llt().solve(b); }
VectorXd solve_general(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }

MatrixXd product(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B) { return A * B; }
MatrixXd transposed_product(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B) {
  return A.transpose() * B;
}
VectorXd product_with(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const VectorXd>& x) { return A * x; }
VectorXd transposed_product_with(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const VectorXd>& x) {
  return A.transpose() * x;
}
void add_transposed_product(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B, MatrixXd& C) {
  C.noalias() += A.transpose() * B;
}

MatrixXd congruence(const MatrixXd& T, const MatrixXd& A) { return product(transposed_product(T, A), T); }
MatrixXd diagonal_congruence(const MatrixXd& T, const VectorXd& diagonal) {
  const MatrixXd weighted = T.transpose() * diagonal.asDiagonal();
  return product(weighted, T);
}

MatrixXd without_negative_eigenvalues(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(A);
  const MatrixXd weighted = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal();
  return weighted * eigen.eigenvectors().transpose();
}

/// Gelfand's formula, the limit of |A^n|^(1/n), with n doubled by squaring: each squaring rounds anew, but counts half
/// as much as the one before it.
double spectral_radius(const MatrixXd& A) {
  MatrixXd power = A;
  double logarithm = 0;  // of the norm of A^n, over n
  for (double n = 1; n < 0x1p60; n *= 2) {
    const double norm = power.norm();
    if (norm == 0 || !std::isfinite(norm)) return norm;
    power /= norm;
    logarithm += std::log(norm) / n;
    power = (power * power).eval();
  }
  return std::exp(logarithm);
}

}  // namespace brio

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

VectorXd solve_definite(const MatrixXd& A, const VectorXd& b) { return A.llt().solve(b); }
VectorXd solve_general(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }

MatrixXd congruence(const MatrixXd& T, const MatrixXd& A) { return T.transpose() * A * T; }
MatrixXd diagonal_congruence(const MatrixXd& T, const VectorXd& diagonal) {
  return T.transpose() * diagonal.asDiagonal() * T;
}

MatrixXd without_negative_eigenvalues(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(A);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
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

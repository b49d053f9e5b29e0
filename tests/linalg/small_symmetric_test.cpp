// The eigenvalue solver for small dense matrices, against what defines eigenvalues and against Eigen's.

#include "brio/linalg/small_symmetric.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace brio {
namespace {

MatrixXd random_symmetric(int n) {
  std::mt19937_64 random(n);
  std::normal_distribution<double> normal;
  MatrixXd A(n, n);
  for (double& a : A.reshaped()) a = normal(random);
  return A + A.transpose();
}

void check(const MatrixXd& A) {
  const Index n = A.rows();
  MatrixXd overwritten = A, Y(n, n);
  VectorXd lambda(n), work(n);
  symmetric_eigen(overwritten, Y, lambda, work);
  const double size = A.norm() + 1e-300;
  EXPECT_LT((A * Y - Y * lambda.asDiagonal()).norm(), 1e-14 * n * size);
  EXPECT_LT((Y.transpose() * Y - MatrixXd::Identity(n, n)).norm(), 1e-14 * n);
  EXPECT_LT((Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues() - lambda).norm(), 1e-14 * n * size);
  for (Index i = 1; i < n; ++i) EXPECT_LE(lambda[i - 1], lambda[i]);
}

TEST(SmallSymmetric, eigenvalues_and_vectors) {
  for (int n : {1, 2, 3, 7, 24, 52}) check(random_symmetric(n));
}

TEST(SmallSymmetric, repeated_zero_and_widely_spread_eigenvalues) {
  check(MatrixXd::Zero(5, 5));
  check(MatrixXd::Identity(6, 6));
  check(MatrixXd::Ones(8, 8));
  MatrixXd spread = random_symmetric(12);
  for (int i = 0; i < 12; ++i) {
    const double scale = std::pow(10, i - 6);
    spread.row(i) *= scale;
    spread.col(i) *= scale;
  }
  check(spread);
}

TEST(SmallSymmetric, not_a_number_ends) {
  MatrixXd A = random_symmetric(5), Y(5, 5);
  A(2, 3) = A(3, 2) = std::nan("");
  VectorXd lambda(5), work(5);
  symmetric_eigen(A, Y, lambda, work);
  EXPECT_FALSE(lambda.allFinite());
}

}  // namespace
}  // namespace brio

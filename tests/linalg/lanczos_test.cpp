// Lanczos' process: its recurrence, its invariant spaces, and Ritz values.

#include "brio/linalg/lanczos.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brio {
namespace {

struct Pair {
  VectorXd mass;
  MatrixXd K;
  explicit Pair(int n) : mass(n), K(n, n) {
    for (int i = 0; i < n; ++i) {
      mass[i] = 1 + 0.3 * std::sin(5.0 * i);
      for (int j = 0; j < n; ++j) K(i, j) = std::cos(1.7 * i + 0.3) * std::cos(1.7 * j + 0.3) + (i == j ? i - 3.0 : 0);
    }
  }
  bool extend(Lanczos& process) const {
    VectorXd image = K * process.next();
    return process.extend(mass, image);
  }
};

MatrixXd tridiagonal(const Lanczos& process) {
  const int m = process.size();
  MatrixXd T = MatrixXd::Zero(m, m);
  T.diagonal() = process.diagonal();
  T.diagonal(1) = T.diagonal(-1) = process.off_diagonal();
  return T;
}

TEST(Lanczos, obeys_its_recurrence) {
  const Pair pair(20);
  Lanczos process;
  process.begin(pair.mass, VectorXd::Ones(20), 10);
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(pair.extend(process));
  ASSERT_EQ(process.size(), 7);
  MatrixXd left = pair.mass.cwiseInverse().asDiagonal() * (pair.K * process.basis());
  left -= process.basis() * tridiagonal(process);
  left.col(6) -= process.residual() * process.next();
  EXPECT_LT(left.norm(), 1e-13 * pair.K.norm());  // round-off of products of size 20
  const MatrixXd gram = process.basis().transpose() * pair.mass.asDiagonal() * process.basis();
  EXPECT_LT((gram - MatrixXd::Identity(7, 7)).norm(), 1e-11);  // seven steps lose little of the orthogonality
  EXPECT_NEAR(process.length(), std::sqrt(pair.mass.sum()), 1e-14);
}

TEST(Lanczos, stops_in_an_invariant_space) {
  // A start made of three eigenvectors: after three steps there is nothing new.
  const Pair pair(12);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(pair.K, MatrixXd(pair.mass.asDiagonal()));
  const auto& U = eigen.eigenvectors();
  Lanczos process;
  process.begin(pair.mass, U.col(0) + 2 * U.col(5) - U.col(11), 10);
  EXPECT_TRUE(pair.extend(process));
  EXPECT_TRUE(pair.extend(process));
  pair.extend(process);
  EXPECT_LT(process.residual(), 1e-12);
  const VectorXd theta = Eigen::SelfAdjointEigenSolver<MatrixXd>(tridiagonal(process)).eigenvalues();
  EXPECT_NEAR(theta[0], eigen.eigenvalues()[0], 1e-12);
  EXPECT_NEAR(theta[1], eigen.eigenvalues()[5], 1e-12);
  EXPECT_NEAR(theta[2], eigen.eigenvalues()[11], 1e-12);
}

TEST(Lanczos, one_eigenvector_is_a_space_of_one) {
  const VectorXd mass = VectorXd::Constant(3, 2);
  Lanczos process;
  process.begin(mass, Vec3(1, 2, 3), 5);
  VectorXd image = 50 * process.next();
  EXPECT_FALSE(process.extend(mass, image));
  EXPECT_EQ(process.size(), 1);
  EXPECT_NEAR(process.diagonal()[0], 25, 1e-13);
  EXPECT_EQ(process.residual(), 0);
}

TEST(Lanczos, a_zero_start_has_no_space) {
  Lanczos process;
  process.begin(VectorXd::Ones(3), VectorXd::Zero(3), 5);
  EXPECT_EQ(process.length(), 0);
  EXPECT_EQ(process.size(), 0);
}

}  // namespace
}  // namespace brio

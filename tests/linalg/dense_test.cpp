// Dense matrices against sums written out, and eigenvectors against what defines them.

#include "brio/linalg/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

MatrixXd wavy_matrix(Index rows, Index columns, double phase) {
  return MatrixXd::NullaryExpr(rows, columns, [&](Index i, Index j) { return std::sin(phase + 1.7 * i + 0.9 * i * j); });
}

/// A^T B, one number after the other.
MatrixXd summed(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd sums = MatrixXd::Zero(A.cols(), B.cols());
  for (Index i = 0; i < A.cols(); ++i)
    for (Index j = 0; j < B.cols(); ++j)
      for (Index k = 0; k < A.rows(); ++k) sums(i, j) += A(k, i) * B(k, j);
  return sums;
}

TEST(Dense, products_of_pieces_are_sums) {
  const MatrixXd A = wavy_matrix(40, 9, 0.1), B = wavy_matrix(50, 30, 0.6), part = B.block(3, 2, 40, 25);
  const MatrixXd expected = summed(A, part);
  EXPECT_LT((transposed_product(A, B.block(3, 2, 40, 25)) - expected).norm(), 1e-13);
  EXPECT_LT((product(A.transpose(), part) - expected).norm(), 1e-13);
  EXPECT_LT((transposed_product_with(A, part.col(4)) - expected.col(4)).norm(), 1e-13);
  EXPECT_LT((product_with(MatrixXd(A.transpose()), part.col(4)) - expected.col(4)).norm(), 1e-13);
  MatrixXd sum = wavy_matrix(9, 25, 2);
  add_transposed_product(A, part, sum);
  EXPECT_LT((sum - wavy_matrix(9, 25, 2) - expected).norm(), 1e-13);
  const MatrixXd T = wavy_matrix(40, 6, 0.3), S = wavy_matrix(40, 40, 1);
  EXPECT_LT((congruence(T, S) - summed(T, summed(S.transpose(), T))).norm(), 1e-11);
  const VectorXd weights = S.col(0);
  EXPECT_LT((diagonal_congruence(T, weights) - summed(T, weights.asDiagonal() * T)).norm(), 1e-13);
}

TEST(Dense, symmetric_matrices_have_orthonormal_eigenvectors) {
  SymmetricEigen eigen;
  VectorXd lambda;
  MatrixXd Y;
  for (const double scale : {1.0, 1e-200, 0.0}) {
    const MatrixXd W = wavy_matrix(12, 12, 0.4), A = scale * (W + W.transpose());
    MatrixXd work = A;
    ASSERT_TRUE(eigen.compute(work, lambda, Y));
    EXPECT_LE((A * Y - Y * lambda.asDiagonal()).cwiseAbs().maxCoeff(), 1e-14 * scale * 12);
    EXPECT_LT((Y.transpose() * Y - MatrixXd::Identity(12, 12)).norm(), 1e-13);
    for (Index i = 1; i < 12; ++i) EXPECT_LE(lambda[i - 1], lambda[i]);
  }
}

}  // namespace
}  // namespace brio

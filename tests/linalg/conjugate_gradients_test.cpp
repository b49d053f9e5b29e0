#include "brio/linalg/conjugate_gradients.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"

namespace brio::testing {
namespace {

VectorXd shift_of(const BlockMatrix& K, double value) {
  return VectorXd::Constant(3 * K.pattern().blocks_per_side, value);
}

TEST(ConjugateGradients, solves_to_the_tolerance_asked) {
  const BlockMatrix K = spring_matrix(box_pattern(5, 4, 3));
  const VectorXd shift = shift_of(K, 0.1);
  const MatrixXd A = dense(K, 2.0, shift);
  const MatrixXd B = random_matrix(A.rows(), 2, 7);
  for (const double tolerance : {1e-3, 1e-10}) {
    const auto cg = make_conjugate_gradients(box_pattern(5, 4, 3), tolerance, 1000);
    // The pattern is another object: values are taken slot by slot.
    const BlockMatrix same = spring_matrix(box_pattern(5, 4, 3));
    ASSERT_EQ(cg->factor(same, 2.0, shift), FactorStatus::ok);
    MatrixXd X = B;
    cg->solve(X);
    for (int c = 0; c < 2; ++c) {
      const double error = (A * X.col(c) - B.col(c)).norm() / B.col(c).norm();
      EXPECT_LE(error, 1.01 * tolerance);  // the recursive residual drifts from the true one by round-off
    }
  }
}

// On the pattern of a tree nothing fills in, so that the incomplete factor is the factor and one iteration is enough.
TEST(ConjugateGradients, is_exact_in_one_iteration_where_nothing_fills_in) {
  Couplings chain;
  for (int i = 0; i + 1 < 40; ++i) chain.emplace_back(i, i + 1);
  const auto pattern = std::make_shared<BlockPattern>(40, chain);
  const BlockMatrix K = spring_matrix(pattern);
  const VectorXd shift = shift_of(K, 0.3);
  const auto cg = make_conjugate_gradients(pattern, 0, 1);
  ASSERT_EQ(cg->factor(K, 1.5, shift), FactorStatus::ok);
  MatrixXd X = random_matrix(120, 1, 3);
  const VectorXd expected = dense(K, 1.5, shift).llt().solve(X);
  cg->solve(X);
  EXPECT_LT((X - expected).norm(), 1e-12 * expected.norm());
}

TEST(ConjugateGradients, says_when_there_is_no_factor) {
  const auto pattern = box_pattern(2, 2, 2);
  const BlockMatrix K = spring_matrix(pattern);
  const auto cg = make_conjugate_gradients(pattern, 1e-6, 10);
  EXPECT_EQ(cg->factor(K, -1, shift_of(K, 0)), FactorStatus::not_positive_definite);
  EXPECT_EQ(cg->factor(K, 1, shift_of(K, 1)), FactorStatus::ok);
}

}  // namespace
}  // namespace brio::testing

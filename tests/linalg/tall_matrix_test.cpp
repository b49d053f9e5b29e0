// Products with tall matrices, against Eigen's.

#include "brio/linalg/tall_matrix.hpp"

#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

TEST(TallMatrix, inner_products_and_combinations) {
  for (int n : {1, 100, 5000}) {
    const MatrixXd Q = MatrixXd::Random(n, 7), X = MatrixXd::Random(n, 2), C = MatrixXd::Random(5, 2);
    std::vector<double> work;
    MatrixXd inner(5, 2), sum = X, product(n, 2);
    tall_inner(Q.leftCols(5), X, inner, work);
    tall_combine(Q.leftCols(5), C, sum, true);
    tall_combine(Q.leftCols(5), C, product);
    // Round-off of sums of n terms below one.
    EXPECT_LT((inner - Q.leftCols(5).transpose() * X).norm(), 1e-15 * n);
    EXPECT_LT((sum - X - Q.leftCols(5) * C).norm(), 1e-14 * std::sqrt(n));
    EXPECT_LT((product - Q.leftCols(5) * C).norm(), 1e-14 * std::sqrt(n));
  }
}

TEST(TallMatrix, same_bits_for_any_number_of_threads) {
  const MatrixXd Q = MatrixXd::Random(20000, 6), X = MatrixXd::Random(20000, 2);
  std::vector<double> work;
  MatrixXd one(6, 2), three(6, 2);
  set_thread_count(1);
  tall_inner(Q, X, one, work);
  set_thread_count(3);
  tall_inner(Q, X, three, work);
  set_thread_count(0);
  EXPECT_TRUE(one == three);
}

TEST(TallMatrix, nothing_times_nothing) {
  const MatrixXd Q(10, 0), X = MatrixXd::Ones(10, 2), C(0, 2);
  std::vector<double> work;
  MatrixXd inner(0, 2), sum = X;
  tall_inner(Q, X, inner, work);
  tall_combine(Q, C, sum, true);
  EXPECT_TRUE(sum == X);
}

}  // namespace
}  // namespace brio

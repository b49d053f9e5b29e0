// Tall products and Gram-Schmidt: what they are, and that their bits do not depend on the number of threads.

#include "brio/linalg/tall_products.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/mass_orthonormal.hpp"

#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"

namespace brio::testing {
namespace {

TEST(TallProducts, are_the_products) {
  MatrixXd G;
  std::vector<double> scratch;
  for (Index rows : {0, 1, 255, 256, 5000}) {
    const MatrixXd X = random_matrix(rows, 23, 1), Y = random_matrix(rows, 9, 2), C = random_matrix(23, 5, 3);
    MatrixXd XC(rows, 5);
    multiply_transposed(X, Y, G, scratch);
    multiply_tall(X, C, XC);
    MatrixXd sum = XC;
    add_tall(X, C, sum);
    EXPECT_LE((sum - 2 * XC).norm(), 1e-13 * (1 + XC.norm()));
    EXPECT_LE((G - X.transpose() * Y).norm(), 1e-13 * (1.0 + static_cast<double>(rows)));  // rounding of a sum
    EXPECT_LE((XC - X * C).norm(), 1e-13 * (1 + XC.norm()));
  }
}

TEST(TallProducts, have_the_same_bits_for_any_thread_count) {
  const MatrixXd X = random_matrix(20000, 11, 1), Y = random_matrix(20000, 4, 2), C = random_matrix(11, 4, 3);
  const VectorXd mass = random_matrix(20000, 1, 4).cwiseAbs() + VectorXd::Ones(20000);
  struct Results {
    MatrixXd G, XC, Q;
  };
  const auto compute = [&](int threads) {
    set_thread_count(threads);
    Results r{{}, MatrixXd(20000, 4), MatrixXd(20000, 11)};
    std::vector<double> scratch;
    multiply_transposed(X, Y, r.G, scratch);
    multiply_tall(X, C, r.XC);
    for (int j = 0; j < 11; ++j) {
      VectorXd column = X.col(j);
      EXPECT_TRUE(append_orthonormal(mass, r.Q, j, column));
    }
    set_thread_count(0);
    return r;
  };
  const Results one = compute(1), three = compute(3);
  EXPECT_TRUE(one.G == three.G && one.XC == three.XC && one.Q == three.Q);
}

TEST(TallProducts, nothing_times_nothing) {
  const MatrixXd Q(10, 0), X = MatrixXd::Ones(10, 2), C(0, 2);
  std::vector<double> scratch;
  MatrixXd inner, sum = X;
  multiply_transposed(Q, X, inner, scratch);
  EXPECT_EQ(inner.rows(), 0);
  add_tall(Q, C, sum);
  EXPECT_TRUE(sum == X);
}

TEST(MassOrthonormal, spans_what_was_given_and_says_what_depends) {
  const VectorXd mass = random_matrix(5000, 1, 4).cwiseAbs() + VectorXd::Ones(5000);
  const MatrixXd X = random_matrix(5000, 6, 1);
  MatrixXd Q(5000, 6);
  for (int j = 0; j < 6; ++j) {
    VectorXd column = X.col(j) + 1e3 * X.col(0);  // nearly parallel, so that rounding costs three digits of the span
    ASSERT_TRUE(append_orthonormal(mass, Q, j, column)) << j;
  }
  EXPECT_LT((Q.transpose() * mass.asDiagonal() * Q - MatrixXd::Identity(6, 6)).norm(), 1e-13);
  MatrixXd wider(5000, 7);
  wider << Q, VectorXd::Zero(5000);
  VectorXd dependent = X * VectorXd::LinSpaced(6, 1, 2), nothing = VectorXd::Zero(5000);
  EXPECT_FALSE(append_orthonormal(mass, wider, 6, dependent));
  EXPECT_FALSE(append_orthonormal(mass, wider, 6, nothing));
}

}  // namespace
}  // namespace brio::testing

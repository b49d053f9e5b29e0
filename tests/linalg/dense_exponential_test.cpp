#include "brio/linalg/dense_exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

TEST(DenseExponential, rotates_and_grows) {
  MatrixXd A(2, 2);
  A << 0, 7, -7, 0;
  MatrixXd turn(2, 2);
  turn << std::cos(7), std::sin(7), -std::sin(7), std::cos(7);
  EXPECT_LT((dense_exponential(A) - turn).norm(), 1e-13);  // three squarings of round-off
  A << 1, 1, 0, 1;
  MatrixXd jordan(2, 2);
  jordan << std::exp(1), std::exp(1), 0, std::exp(1);
  EXPECT_LT((dense_exponential(A) - jordan).norm(), 1e-14);
}

TEST(DenseExponential, what_is_no_number_stays_none) {
  EXPECT_FALSE(dense_exponential(MatrixXd::Constant(3, 3, NAN)).allFinite());
  EXPECT_FALSE(dense_exponential(MatrixXd::Constant(3, 3, INFINITY)).allFinite());
  EXPECT_FALSE(dense_exponential(MatrixXd::Constant(3, 3, 1e300)).allFinite());
}

}  // namespace
}  // namespace brio

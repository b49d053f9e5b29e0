#include "brio/linalg/polar_rate.hpp"

#include "brio/core/types.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

M3<double> small_number(const Mat3& A) {
  M3<double> B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3);
  return B;
}

Mat3 matrix(const M3<double>& A) {
  Mat3 B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3);
  return B;
}

Mat3 rotation(const Mat3& F) {
  const auto f = svd3(small_number(F));
  return matrix(f.U) * matrix(f.V).transpose();
}

TEST(PolarRate, is_the_derivative_of_the_polar_decomposition) {
  srand(3);
  const double e = 1e-6;
  for (int sample = 0; sample < 40; ++sample) {
    Mat3 F = Mat3::Identity() + 0.6 * Mat3::Random();
    if (sample % 4 == 0) F = -F;  // inside out
    const Mat3 F_dot = Mat3::Random();
    const auto f = svd3(small_number(F));
    if (f.s[1] + f.s[2] < 0.1) continue;  // there the rotation turns too fast for differences
    const auto rate = polar_rate(f, small_number(F_dot));
    const Mat3 R_high = rotation(F + e * F_dot), R_low = rotation(F - e * F_dot);
    const Mat3 R_dot = (R_high - R_low) / (2 * e);
    const Mat3 S_dot = (R_high.transpose() * (F + e * F_dot) - R_low.transpose() * (F - e * F_dot)) / (2 * e);
    // Differences: e^2 times the third derivative, which grows as a power of 1 / (s1 + s2).
    EXPECT_LT((matrix(rate.R) - R_dot).norm(), 1e-7) << F;
    EXPECT_LT((matrix(rate.S) - S_dot).norm(), 1e-7) << F;
    EXPECT_LT((matrix(rate.S) - matrix(rate.S).transpose()).norm(), 1e-12);
  }
}

TEST(PolarRate, does_not_see_a_rotation_and_stays_finite) {
  const Mat3 F = (Mat3() << 1.2, 0.1, 0, -0.2, 0.9, 0.3, 0, 0.1, 1.1).finished();
  Mat3 spin;
  spin << 0, -3, 1, 3, 0, -2, -1, 2, 0;
  EXPECT_LT(matrix(polar_rate(svd3(small_number(F)), small_number(spin * F)).S).norm(), 1e-13);
  for (const Mat3& singular : {Mat3(Mat3::Zero()), Mat3(Vec3(1, -1, 1).asDiagonal()), Mat3(Vec3(1, 0, 0).asDiagonal())})
    EXPECT_TRUE(matrix(polar_rate(svd3(small_number(singular)), small_number(Mat3::Random())).S).allFinite());
}

}  // namespace
}  // namespace brio

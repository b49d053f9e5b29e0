// Rotations of 3x3 matrices from their invariants, against singular values and against what defines them; and symmetric
// matrices as numbers.
#include "brio/linalg/polar3.hpp"

#include "brio/core/types.hpp"
#include "brio/linalg/symmetric3.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

M3<double> entries_of(const Mat3& A) {
  M3<double> B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3);
  return B;
}
Mat3 matrix_of(const M3<double>& A) {
  Mat3 B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3);
  return B;
}
Mat3 any_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized().matrix();
}

struct Stretched {
  Mat3 F, R;
  double gap;  ///< the smallest sum of two stretches over the largest stretch: how well R is determined
};
std::vector<Stretched> stretched() {
  std::mt19937 random(3);
  std::vector<Stretched> list;
  for (const Vec3& s :
       {Vec3(1, 1, 1), Vec3(1.3, 1.1, 0.8), Vec3(1.1, 0.9, 1e-7), Vec3(1, 1, 0), Vec3(1, 1, -0.5), Vec3(1, 1, -0.75),
        Vec3(1, 1, -0.9), Vec3(1, 0.5, -0.45), Vec3(1, 0.1, 0.1), Vec3(1, 0.01, 0.01), Vec3(1e3, 1, 1), Vec3(1, 0.2, 0),
        Vec3(5, 1, 1), Vec3(1 + 1e-9, 1, 1 - 1e-9)}) {
    for (double size : {1.0, 1e-40, 1e40, 1e-100, 1e100}) {
      for (int k = 0; k < 20; ++k) {
        const Mat3 U = any_rotation(random), V = any_rotation(random);
        list.push_back({size * (U * s.asDiagonal() * V.transpose()), U * V.transpose(), (s[1] + s[2]) / s[0]});
      }
    }
  }
  return list;
}

bool needs_singular_values(const Mat3& F) {
  const M3<double> f = entries_of(F);
  return !detail::stretch_sum(squared_norm(f), squared_norm(cofactor(f)), determinant(f)).found;
}

// Rounding F by 2e-16 turns R by that over the gap; both ways of finding it lose at most two digits more.
TEST(Polar3, finds_the_rotation) {
  int direct = 0;
  for (const auto& [F, R, gap] : stretched()) {
    const Mat3 found = matrix_of(polar3(entries_of(F)).R), S = found.transpose() * F;
    EXPECT_LE((found.transpose() * found - Mat3::Identity()).norm(), 1e-13) << F;
    EXPECT_LE((S - S.transpose()).norm(), 1e-13 * F.norm()) << F;
    EXPECT_LE((found - R).norm(), 1e-14 + 3e-14 / gap) << F;
    direct += !needs_singular_values(F);
  }
  EXPECT_GT(direct, 400);
}

TEST(Polar3, ordinary_elements_need_no_singular_values) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> stretch(0.5, 2), flat(-0.2, 0.5);  // turned inside out a little included
  for (int k = 0; k < 1000; ++k) {
    const Vec3 s(stretch(random), stretch(random), k % 2 ? stretch(random) : flat(random));
    EXPECT_FALSE(needs_singular_values(any_rotation(random) * s.asDiagonal() * any_rotation(random))) << s.transpose();
  }
}

TEST(Polar3, lanes_do_not_see_their_neighbors) {
  const std::vector<Stretched> list = stretched();
  for (size_t first = 0; first < list.size(); ++first) {
    M3<Pack> mixed, alike;
    for (int l = 0; l < kLanes; ++l)
      for (int k = 0; k < 9; ++k) {
        mixed(k / 3, k % 3)[l] = list[(first + 37 * l) % list.size()].F(k / 3, k % 3);
        alike(k / 3, k % 3)[l] = list[first].F(k / 3, k % 3);
      }
    const M3<Pack> one = polar3(mixed).R, many = polar3(alike).R;
    for (int k = 0; k < 9; ++k)
      for (int l = 0; l < kLanes; ++l) EXPECT_EQ(many(k / 3, k % 3)[l], one(k / 3, k % 3)[0]);
  }
}

TEST(Polar3, ends_for_matrices_without_rotation) {
  for (const Mat3& F : {Mat3(Mat3::Zero()), Mat3(1e-305 * Mat3::Identity()), Mat3(1e300 * Mat3::Identity()),
                        Mat3(Mat3::Ones()), Mat3(-Mat3::Identity())}) {
    const Mat3 R = matrix_of(polar3(entries_of(F)).R);
    EXPECT_LE((R.transpose() * R - Mat3::Identity()).norm(), 1e-13) << F;
    EXPECT_NEAR(R.determinant(), 1, 1e-13);
  }
  EXPECT_TRUE(std::isnan(polar3(entries_of(Mat3::Constant(NAN))).R(0, 0)));
}

Mat3 full(const Sym3<double>& a) {
  Mat3 A;
  A << a.xx, a.xy, a.zx, a.xy, a.yy, a.yz, a.zx, a.yz, a.zz;
  return A;
}

// 1e-14: sums of three or four products of numbers around 1.
TEST(Symmetric3, counts_as_matrices_do) {
  const Sym3<double> a{1.2, 0.7, -0.4, 0.3, -0.2, 0.5}, b = a * a - 2.0, c = 0.5 * b + a;  // these commute
  const Mat3 A = full(a), B = A * A - 2 * Mat3::Identity(), C = 0.5 * B + A;
  EXPECT_LE((full(b) - B).norm(), 1e-14);
  EXPECT_LE((full(c) - C).norm(), 1e-14);
  EXPECT_LE((full(b * c) - B * C).norm(), 1e-14);
  EXPECT_LE((full(3.0 + c) - (C + 3 * Mat3::Identity())).norm(), 1e-14);
  EXPECT_LE((full(cofactor(a)) - A.determinant() * A.inverse()).norm(), 1e-14);
  EXPECT_NEAR(trace(c), C.trace(), 1e-14);
  EXPECT_EQ(full(constant<Sym3<double>>(2)), Mat3(2 * Mat3::Identity()));
  std::mt19937 random(1);
  const Mat3 D = any_rotation(random);
  EXPECT_LE((matrix_of(entries_of(D) * a) - D * A).norm(), 1e-14);
}

}  // namespace
}  // namespace brio

// The 3x3 decompositions on random and on awkward matrices, against their defining equations and against Eigen.
#include "brio/linalg/svd3.hpp"

#include "brio/core/types.hpp"
#include "brio/linalg/eigen3.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

// Ten rotations of three products each lose a few units of round-off (2e-16) each.
constexpr double kTolerance = 1e-14;
constexpr double kUnderflow = 1e-304;  // what counts as zero may be lost

M3<double> small(const Mat3& A) {
  M3<double> B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3);
  return B;
}
Mat3 big(const M3<double>& A) {
  Mat3 B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3);
  return B;
}
Mat3 lane(const M3<Pack>& A, int l) {
  Mat3 B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = A(k / 3, k % 3)[l];
  return B;
}
M3<Pack> packed(const std::vector<Mat3>& A, size_t first) {
  M3<Pack> B;
  for (int k = 0; k < 9; ++k)
    for (int l = 0; l < kLanes; ++l) B(k / 3, k % 3)[l] = A[(first + l) % A.size()](k / 3, k % 3);
  return B;
}

Mat3 random_matrix(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Mat3::NullaryExpr([&] { return normal(random); });
}
Mat3 random_rotation(std::mt19937& random) {
  Mat3 Q = Eigen::JacobiSVD<Mat3>(random_matrix(random), Eigen::ComputeFullU).matrixU();
  if (Q.determinant() < 0) Q.col(0) *= -1;
  return Q;
}

/// Every sort of stretch an element can get into, between random rotations, and without them.
std::vector<Mat3> awkward_matrices() {
  std::mt19937 random(7);
  std::vector<Mat3> list = {Mat3::Zero(), Mat3::Identity(), Mat3::Ones(), -Mat3::Identity()};
  for (int k = 0; k < 300; ++k) list.push_back(random_matrix(random));
  const double tiny[] = {0, 1e-300, 1e-160, 1e-78, 1e-16, 1e-12, 1e-8, 1e-4};
  std::vector<Vec3> stretches = {{1, 1, 1}, {1, 1, -1}, {2, 2, 1}, {2, 1, 1}, {2, 1, -1}, {3, 2, 0}, {1, 1, 0}};
  for (double e : tiny) {
    for (const Vec3& s : {Vec3(1, 1, e), Vec3(1, e, e), Vec3(1, e, -e), Vec3(1 + e, 1, 1 - e), Vec3(1, 0.5 + e, 0.5),
                          Vec3(1, 0.5 + e, -0.5), Vec3(e, e, e), Vec3(2, e, 0), Vec3(1, 1e-5, e)}) {
      stretches.push_back(s);
    }
  }
  for (const Vec3& s : stretches) {
    list.push_back(s.asDiagonal());
    for (int k = 0; k < 6; ++k) {
      list.push_back(random_rotation(random) * s.asDiagonal() * random_rotation(random).transpose());
    }
    list.push_back(1e60 * list.back());
    list.push_back(1e-130 * list.back());
  }
  return list;
}

void expect_decomposed(const Mat3& F, const Mat3& U, const Vec3& s, const Mat3& V) {
  const Vec3 reference = Eigen::JacobiSVD<Mat3>(F).singularValues();
  const double size = reference[0];
  EXPECT_LE((U.transpose() * U - Mat3::Identity()).norm(), kTolerance) << F;
  EXPECT_LE((V.transpose() * V - Mat3::Identity()).norm(), kTolerance) << F;
  EXPECT_NEAR(U.determinant(), 1, kTolerance);
  EXPECT_NEAR(V.determinant(), 1, kTolerance);
  EXPECT_LE((U * s.asDiagonal() * V.transpose() - F).norm(), kTolerance * size + kUnderflow)
      << F << "\ns " << s.transpose();
  EXPECT_LE((s.cwiseAbs() - reference).norm(), kTolerance * size + kUnderflow) << F;
  EXPECT_GE(s[0], 0);
  EXPECT_GE(s[1], 0);
  EXPECT_GE(s[0] - s[1], -kTolerance * size - kUnderflow);
  EXPECT_GE(s[1] - std::abs(s[2]), -kTolerance * size - kUnderflow);
  const double det = (F / (size > 0 ? size : 1)).determinant();
  if (std::abs(det) > 1e-13) {
    EXPECT_EQ(s[2] < 0, det < 0) << F;
  }
}

TEST(Svd3, decomposes_awkward_matrices) {
  for (const Mat3& F : awkward_matrices()) {
    const Svd3<double> f = svd3(small(F));
    expect_decomposed(F, big(f.U), Vec3(f.s[0], f.s[1], f.s[2]), big(f.V));
  }
}

TEST(Svd3, decomposes_eight_at_a_time) {
  const std::vector<Mat3> list = awkward_matrices();
  for (size_t first = 0; first < list.size(); first += kLanes) {
    const Svd3<Pack> f = svd3(packed(list, first));
    for (int l = 0; l < kLanes; ++l) {
      expect_decomposed(list[(first + l) % list.size()], lane(f.U, l), Vec3(f.s[0][l], f.s[1][l], f.s[2][l]),
                        lane(f.V, l));
    }
  }
}

// Lanes that finish early wait; their bits must not depend on the company.
TEST(Svd3, lanes_do_not_see_their_neighbors) {
  const std::vector<Mat3> list = awkward_matrices();
  for (size_t k = 0; k < list.size(); ++k) {
    const Svd3<Pack> mixed = svd3(packed(list, k)), alone = svd3(packed({list[k]}, 0));
    for (int l = 0; l < kLanes; ++l) {
      EXPECT_EQ(lane(alone.U, l), lane(mixed.U, 0));
      EXPECT_EQ(lane(alone.V, l), lane(mixed.V, 0));
      EXPECT_EQ(alone.s[2][l], mixed.s[2][0]);
    }
  }
}

TEST(Svd3, ends_for_numbers_that_are_none) {
  EXPECT_TRUE(std::isnan(svd3(small(Mat3::Constant(NAN))).s[0]));
  EXPECT_FALSE(std::isfinite(svd3(small(Mat3::Constant(INFINITY))).s[0]));
}

std::vector<Mat3> symmetric_matrices() {
  std::vector<Mat3> list;
  for (const Mat3& F : awkward_matrices()) {
    list.push_back(F + F.transpose());
    list.push_back(F * F.transpose());
  }
  return list;
}

TEST(Eigen3, decomposes_symmetric_matrices) {
  const std::vector<Mat3> list = symmetric_matrices();
  for (size_t first = 0; first < list.size(); first += kLanes) {
    const Eigen3<Pack> e = eigen3(packed(list, first));
    for (int l = 0; l < kLanes; ++l) {
      const Mat3& A = list[(first + l) % list.size()];
      const Mat3 Q = lane(e.Q, l);
      const Vec3 lambda(e.lambda[0][l], e.lambda[1][l], e.lambda[2][l]);
      const Vec3 reference = Eigen::SelfAdjointEigenSolver<Mat3>(A).eigenvalues().reverse();
      EXPECT_LE((Q.transpose() * Q - Mat3::Identity()).norm(), kTolerance);
      EXPECT_LE((Q * lambda.asDiagonal() * Q.transpose() - A).norm(), kTolerance * A.norm() + kUnderflow) << A;
      EXPECT_LE((lambda - reference).norm(), kTolerance * A.norm() + kUnderflow) << A;
    }
  }
}

TEST(Eigen3, projection_clamps_and_keeps_what_is_definite) {
  int kept = 0, clamped = 0;
  for (const Mat3& A : symmetric_matrices()) {
    const Mat3 B = big(project_psd(small(A)));
    Eigen::SelfAdjointEigenSolver<Mat3> e(A);
    const Vec3 lambda = e.eigenvalues();
    const Mat3 expected = e.eigenvectors() * lambda.cwiseMax(0).asDiagonal() * e.eigenvectors().transpose();
    EXPECT_LE((B - expected).norm(), kTolerance * A.norm() + kUnderflow) << A;
    if (lambda[0] > 1e-12 * lambda[2]) {
      EXPECT_EQ(A, B);
      ++kept;
    }
    if (lambda[0] < -1e-12 * A.norm()) ++clamped;
  }
  EXPECT_GT(kept, 20);
  EXPECT_GT(clamped, 200);
}

}  // namespace
}  // namespace brio

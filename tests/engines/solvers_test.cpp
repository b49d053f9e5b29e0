// The solvers behind the engines, against dense factorizations.

#include "brio/core/parallel.hpp"
#include "brio/linalg/aggregates.hpp"
#include "brio/linalg/point_rotations.hpp"
#include "brio/linalg/reused_factor.hpp"
#include "brio/linalg/two_level_gradients.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"
#include <cmath>
#include <limits>
#include <set>

namespace brio::testing {
namespace {

constexpr int kX = 7, kY = 4, kZ = 3;
const std::vector<std::vector<int>> kNoPieces;

/// Places of the vertices of box_pattern().
VectorXd grid(int nx = kX, int ny = kY, int nz = kZ) {
  VectorXd q(3 * box_vertices(nx, ny, nz));
  Index at = 0;
  for (int x = 0; x <= nx; ++x)
    for (int y = 0; y <= ny; ++y)
      for (int z = 0; z <= nz; ++z, at += 3) q.segment<3>(at) = Vec3(x, y, z);
  return q;
}

/// A little further on: in one place, an old factor is not taken.
VectorXd moved(const VectorXd& q) { return q.array() + 1e-3; }

/// Springs along the edges of the grid, stiff along themselves and a little across: rigid motions cost nearly nothing.
BlockMatrix net_matrix(const std::shared_ptr<const BlockPattern>& pattern, const VectorXd& q, double across = 1e-2) {
  BlockMatrix K(pattern);
  for (int j = 0; j < pattern->blocks_per_side; ++j)
    for (int s = pattern->column_begin[j] + 1; s < pattern->column_begin[j + 1]; ++s) {
      const int i = pattern->row[s];
      const Vec3 edge = (q.segment<3>(3 * i) - q.segment<3>(3 * j)).normalized();
      const Mat3 k = edge * edge.transpose() + across * Mat3::Identity();
      for (int e = 0; e < 9; ++e) {
        K.block(s)[e] = -k(e / 3, e % 3);
        K.block(pattern->column_begin[j])[e] += k(e / 3, e % 3);
        K.block(pattern->column_begin[i])[e] += k(e / 3, e % 3);
      }
    }
  return K;
}

/// R K R^T with one rotation for all points.
BlockMatrix turned(const BlockMatrix& K, const std::shared_ptr<const BlockPattern>& pattern, const Mat3& R) {
  using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  BlockMatrix result(pattern);
  for (int s = 0; s < pattern->slots(); ++s)
    Eigen::Map<RowMat3>(result.block(s)) = R * Eigen::Map<const RowMat3>(K.block(s)) * R.transpose();
  return result;
}

double energy_norm(const MatrixXd& A, const VectorXd& x) { return std::sqrt(x.dot(A * x)); }

struct Maker {
  std::string name;
  std::unique_ptr<BlockSolver> (*make)(std::shared_ptr<const BlockPattern>, const std::vector<std::vector<int>>&,
                                       double);
};

const std::vector<Maker> kMakers = {
    {"two_level",
     [](std::shared_ptr<const BlockPattern> pattern, const std::vector<std::vector<int>>& pieces, double tolerance) {
       TwoLevelOptions options;
       options.tolerance = tolerance;
       options.aggregate = 10;
       return make_two_level_gradients(std::move(pattern), pieces, options);
     }},
    {"reused",
     [](std::shared_ptr<const BlockPattern> pattern, const std::vector<std::vector<int>>& pieces, double tolerance) {
       ReuseOptions options;
       options.tolerance = tolerance;
       return make_reused_factor(std::move(pattern), pieces, options);
     }}};

TEST(EngineSolvers, reach_the_tolerance_in_the_norm_of_the_matrix) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  const BlockMatrix first = net_matrix(pattern, q), second = net_matrix(pattern, q, 2e-2);
  const MatrixXd A = dense(second, 2, shift), B = random_matrix(A.rows(), 11, 5), exact = A.llt().solve(B);
  for (const Maker& maker : kMakers)
    for (const double tolerance : {1e-3, 1e-8}) {
      const auto solver = maker.make(pattern, kNoPieces, tolerance);
      solver->set_positions(q);
      ASSERT_EQ(solver->factor(first, 2, shift), FactorStatus::ok);
      MatrixXd X = B;
      solver->solve(X);
      solver->set_positions(moved(q));
      ASSERT_EQ(solver->factor(second, 2, shift), FactorStatus::ok);
      solver->take_work();
      X = B;
      solver->solve(X);
      EXPECT_EQ(solver->status(), FactorStatus::ok);
      EXPECT_GT(solver->take_work().iterations, 0) << maker.name;
      // The norm is known by way of the preconditioner only, which is off by its condition.
      for (Index c = 0; c < B.cols(); ++c)
        EXPECT_LT(energy_norm(A, X.col(c) - exact.col(c)), 5 * tolerance * energy_norm(A, exact.col(c))) << maker.name;
    }
}

/// Solutions come as near as ever beside directions that need not, and what is known beforehand saves iterations.
TEST(EngineSolvers, begin_where_they_are_told_and_end_where_it_is_near_enough) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  const BlockMatrix first = net_matrix(pattern, q), second = net_matrix(pattern, q, 1.05e-2);
  const MatrixXd A = dense(second, 2, shift), B = random_matrix(A.rows(), 3, 5), exact = A.llt().solve(B);
  constexpr double kTolerance = 1e-8, kRough = 1e-4;
  for (const Maker& maker : kMakers) {
    const auto iterations = [&](const MatrixXd& start) {
      const auto solver = maker.make(pattern, kNoPieces, kTolerance);
      solver->set_positions(q);
      EXPECT_EQ(solver->factor(first, 2, shift), FactorStatus::ok);
      solver->set_positions(moved(q));
      EXPECT_EQ(solver->factor(second, 2, shift), FactorStatus::ok);
      solver->take_work();
      MatrixXd X = start;
      solver->improve(B, X, 2);
      for (Index c = 0; c < B.cols(); ++c)
        EXPECT_LT(energy_norm(A, X.col(c) - exact.col(c)),
                  5 * (c < 2 ? kTolerance : kRough) * energy_norm(A, exact.col(c)))
            << maker.name << ", column " << c;
      const SolverWork work = solver->take_work();
      return work.fallbacks > 0 ? 1000 : work.iterations;
    };
    const int cold = iterations(MatrixXd::Zero(B.rows(), B.cols()));
    // A multiple of what is nearly right will do.
    EXPECT_LT(iterations(-3 * exact + 1e-4 * random_matrix(B.rows(), B.cols(), 7)), cold) << maker.name;
  }
}

/// Right-hand sides that change slowly have solutions near the span of the last ones.
TEST(EngineSolvers, an_old_factor_is_helped_by_the_last_solutions) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  const MatrixXd ends = random_matrix(q.size(), 2, 5);
  const auto solver = make_reused_factor(pattern, kNoPieces, {});
  std::vector<int> taken;
  for (int i = 0; i < 6; ++i) {
    const BlockMatrix K = net_matrix(pattern, q, 1e-2 * (1 + 0.02 * i));
    solver->set_positions(q.array() + 1e-3 * i);
    ASSERT_EQ(solver->factor(K, 2, shift), FactorStatus::ok);
    const VectorXd b = std::cos(0.1 * i) * ends.col(0) + std::sin(0.1 * i) * ends.col(1);
    MatrixXd X = b;
    solver->solve(X);
    const MatrixXd A = dense(K, 2, shift);
    const VectorXd exact = A.llt().solve(b);
    EXPECT_LT(energy_norm(A, X - exact), 5e-6 * energy_norm(A, exact)) << i;
    taken.push_back(solver->take_work().iterations);
  }
  EXPECT_LT(taken.back(), taken[1]);
}

TEST(EngineSolvers, an_old_factor_turns_with_the_points) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  const BlockMatrix K = net_matrix(pattern, q);
  const Mat3 R = Eigen::AngleAxisd(1.2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  VectorXd there(q.size());
  for (Index i = 0; i < q.size(); i += 3) there.segment<3>(i) = R * q.segment<3>(i) + Vec3(3, 0, 1);
  const BlockMatrix K_there = turned(K, pattern, R);
  const VectorXd b = random_matrix(q.size(), 1, 3), exact = dense(K_there, 1, shift).llt().solve(b);
  const auto iterations = [&](bool turn) {
    ReuseOptions options;
    options.turned = turn;
    const auto solver = make_reused_factor(pattern, kNoPieces, options);
    solver->set_positions(q);
    EXPECT_EQ(solver->factor(K, 1, shift), FactorStatus::ok);
    solver->set_positions(there);
    EXPECT_EQ(solver->factor(K_there, 1, shift), FactorStatus::ok);
    MatrixXd X = b;
    solver->solve(X);
    EXPECT_LT((X - exact).norm(), 1e-5 * exact.norm());
    const SolverWork work = solver->take_work();
    return work.fallbacks > 0 ? 1000 : work.iterations;
  };
  // In exact arithmetic one; the factor is in single precision.
  EXPECT_LE(iterations(true), 2);
  EXPECT_GT(iterations(false), 6);
}

TEST(EngineSolvers, a_factor_that_fits_no_longer_is_made_anew) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 1e-4);
  const auto solver = make_reused_factor(pattern, kNoPieces, {});
  const VectorXd b = random_matrix(q.size(), 1, 3);
  for (const uint64_t seed : {1, 2, 3, 4}) {
    const BlockMatrix K = spring_matrix(pattern, seed);
    solver->set_positions(static_cast<double>(seed) * q);
    ASSERT_EQ(solver->factor(K, 1, shift), FactorStatus::ok);
    MatrixXd X = b;
    solver->solve(X);
    const MatrixXd A = dense(K, 1, shift);
    const VectorXd exact = A.llt().solve(b);
    EXPECT_LT(energy_norm(A, X - exact), 1e-5 * energy_norm(A, exact)) << seed;
  }
  EXPECT_GE(solver->take_work().factorizations, 2);
}

TEST(EngineSolvers, notice_a_matrix_that_is_not_positive_definite) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  BlockMatrix K = net_matrix(pattern, q), indefinite = K;
  // A soft direction between two neighbors becomes a negative one; diagonal blocks stay positive.
  const int j = 30, s = pattern->column_begin[j] + 1, i = pattern->row[s];
  for (const int e : {0, 4, 8}) {
    indefinite.block(s)[e] += 3;
    indefinite.block(pattern->column_begin[j])[e] -= 3;
    indefinite.block(pattern->column_begin[i])[e] -= 3;
  }
  ASSERT_EQ(dense(indefinite, 1, shift).llt().info(), Eigen::NumericalIssue);
  for (const Maker& maker : kMakers) {
    const auto solver = maker.make(pattern, kNoPieces, 1e-6);
    solver->set_positions(q);
    MatrixXd X = random_matrix(q.size(), 1, 3);
    ASSERT_EQ(solver->factor(K, 1, shift), FactorStatus::ok);
    solver->solve(X);
    EXPECT_EQ(solver->status(), FactorStatus::ok) << maker.name;
    X = random_matrix(q.size(), 1, 3);
    solver->set_positions(moved(q));
    const bool refused = solver->factor(indefinite, 1, shift) != FactorStatus::ok;
    if (!refused) solver->solve(X);
    EXPECT_TRUE(refused || solver->status() == FactorStatus::not_positive_definite) << maker.name;
    X = random_matrix(q.size(), 1, 3);
    ASSERT_EQ(solver->factor(K, 1, shift), FactorStatus::ok);
    solver->solve(X);
    EXPECT_EQ(solver->status(), FactorStatus::ok) << maker.name << ": can be used again";
  }
}

TEST(EngineSolvers, leave_the_momentum_of_free_pieces_exact) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  const BlockMatrix first = net_matrix(pattern, q), second = net_matrix(pattern, q, 3e-2);
  const MatrixXd A = dense(second, 1, shift);
  std::vector<std::vector<int>> pieces(1);
  for (int i = 0; i < pattern->blocks_per_side; ++i) pieces[0].push_back(i);
  const VectorXd b = random_matrix(q.size(), 1, 9);
  for (const Maker& maker : kMakers) {
    const auto solver = maker.make(pattern, pieces, 0.1);
    solver->set_positions(q);
    ASSERT_EQ(solver->factor(first, 1, shift), FactorStatus::ok);
    solver->set_positions(moved(q));
    ASSERT_EQ(solver->factor(second, 1, shift), FactorStatus::ok);
    MatrixXd X = b;
    solver->solve(X);
    const VectorXd lack = b - A * X.col(0);
    EXPECT_GT(lack.norm(), 1e-4 * b.norm()) << maker.name << ": the tolerance is loose on purpose";
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Index i = 0; i < q.size(); i += 3) {
      force += lack.segment<3>(i);
      torque += q.segment<3>(i).cross(lack.segment<3>(i));
    }
    EXPECT_LT(force.norm(), 1e-11 * b.norm()) << maker.name;
    EXPECT_LT(torque.norm(), 1e-10 * b.norm()) << maker.name;
  }
}

TEST(EngineSolvers, have_the_same_bits_for_any_number_of_threads) {
  const auto pattern = box_pattern(24, 12, 12);
  const VectorXd q = grid(24, 12, 12), shift = VectorXd::Constant(q.size(), 0.01);
  const BlockMatrix first = net_matrix(pattern, q), second = net_matrix(pattern, q, 2e-2);
  for (const Maker& maker : kMakers) {
    MatrixXd reference;
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      const auto solver = maker.make(pattern, kNoPieces, 1e-6);
      solver->set_positions(q);
      MatrixXd X = random_matrix(q.size(), 3, 4);
      solver->factor(first, 1, shift);
      solver->set_positions(moved(q));
      solver->factor(second, 1, shift);
      solver->solve(X);
      if (threads == 1)
        reference = X;
      else
        EXPECT_EQ(X, reference) << maker.name << ", " << threads << " threads";
    }
    set_thread_count(0);
  }
}

TEST(EngineSolvers, numbers_that_are_none_stay_none) {
  const auto pattern = box_pattern(kX, kY, kZ);
  const VectorXd q = grid(), shift = VectorXd::Constant(q.size(), 0.01);
  const BlockMatrix K = net_matrix(pattern, q);
  for (const Maker& maker : kMakers) {
    const auto solver = maker.make(pattern, kNoPieces, 1e-6);
    solver->set_positions(q);
    ASSERT_EQ(solver->factor(K, 1, shift), FactorStatus::ok);
    solver->set_positions(moved(q));
    ASSERT_EQ(solver->factor(K, 1, shift), FactorStatus::ok);
    MatrixXd X = random_matrix(q.size(), 1, 3);
    X(17, 0) = std::numeric_limits<double>::quiet_NaN();
    solver->solve(X);
    EXPECT_FALSE(X.allFinite()) << maker.name;
  }
}

TEST(Aggregates, grow_along_strong_couplings_only) {
  const auto pattern = box_pattern(9, 5, 5);
  VectorXd couplings = VectorXd::Ones(pattern->slots());
  const auto stiff = [](int point) { return point / 36 < 5; };  // x below 5
  for (int j = 0; j < pattern->blocks_per_side; ++j)
    for (int s = pattern->column_begin[j] + 1; s < pattern->column_begin[j + 1]; ++s)
      couplings[s] = stiff(j) && stiff(pattern->row[s]) ? -1e6 : -1;
  const Aggregates groups = find_aggregates(*pattern, couplings, 12);
  ASSERT_GT(groups.count(), 10);
  std::set<int> seen;
  for (int g = 0; g < groups.count(); ++g) {
    EXPECT_GE(groups.begin[g + 1] - groups.begin[g], 4);
    EXPECT_LE(groups.begin[g + 1] - groups.begin[g], 30);
    for (int p = groups.begin[g]; p < groups.begin[g + 1]; ++p) {
      EXPECT_EQ(groups.of_point[groups.points[p]], g);
      EXPECT_EQ(stiff(groups.points[p]), stiff(groups.points[groups.begin[g]]));
      EXPECT_TRUE(seen.insert(groups.points[p]).second);
    }
  }
  EXPECT_EQ(static_cast<int>(seen.size()), pattern->blocks_per_side);
}

TEST(Aggregates, leave_points_alone_that_are_coupled_to_nothing) {
  const BlockPattern pattern(5, {{0, 1}, {1, 2}});
  const Aggregates groups = find_aggregates(pattern, VectorXd::Ones(pattern.slots()), 40);
  EXPECT_EQ(groups.count(), 1);
  EXPECT_EQ(groups.of_point, (std::vector<int>{0, 0, 0, Aggregates::kNone, Aggregates::kNone}));
}

TEST(PointRotations, are_those_of_a_body_that_turned_whatever_its_strain) {
  const auto pattern = box_pattern(3, 3, 3);
  const VectorXd q = grid(3, 3, 3);
  const Mat3 R = Eigen::AngleAxisd(2.5, Vec3(0, 1, 3).normalized()).toRotationMatrix();
  VectorXd there(q.size());
  const Vec3 stretch(1.3, 0.8, 1.1);
  for (Index i = 0; i < q.size(); i += 3) there.segment<3>(i) = R * stretch.cwiseProduct(q.segment<3>(i));
  std::vector<Mat3> rotations;
  find_rotations(*pattern, q, there, rotations);
  for (const Mat3& rotation : rotations) EXPECT_LT((rotation - R).norm(), 1e-9);
}

TEST(PointRotations, are_rotations_where_neighbors_are_in_a_line_or_there_are_none) {
  const BlockPattern pattern(4, {{0, 1}, {1, 2}});
  VectorXd q(12), there(12);
  q << 0, 0, 0, 1, 0, 0, 2, 0, 0, 5, 5, 5;
  there << 0, 0, 0, 0, 1, 0, 0, 2, 0, 7, 7, 7;
  std::vector<Mat3> rotations;
  find_rotations(pattern, q, there, rotations);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LT((rotations[i] * rotations[i].transpose() - Mat3::Identity()).norm(), 1e-9) << i;
    if (i < 3) {
      EXPECT_LT((rotations[i] * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-9) << i;
    }
  }
}

}  // namespace
}  // namespace brio::testing

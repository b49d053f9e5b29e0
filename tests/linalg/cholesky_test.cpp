#include "brio/linalg/cholesky.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace brio::testing {
namespace {

std::vector<std::string> backends() {
  std::vector<std::string> names{"eigen"};
  try {
    make_cholesky(box_pattern(1, 1, 1), "supernodal");
    names.push_back("supernodal");
  } catch (const Error&) {  // built without SuiteSparse
  }
  return names;
}

class CholeskyTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Cholesky> make(std::shared_ptr<const BlockPattern> pattern) {
    return make_cholesky(std::move(pattern), GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, CholeskyTest, ::testing::ValuesIn(backends()),
                         [](const auto& info) { return info.param; });

VectorXd positive_shift(Index rows, uint64_t seed) { return (random_matrix(rows, 1, seed).array() + 1.5).matrix(); }

/// max over columns of |A X - B| / (|A||X| + |B|) in the max norm: the backward error, a few roundoffs for Cholesky.
double backward_error(const BlockMatrix& K, double scale, const VectorXd& shift, const MatrixXd& X, const MatrixXd& B) {
  double worst = 0;
  VectorXd product, magnitude;
  BlockMatrix absolute = K;
  for (int s = 0; s < K.pattern().slots(); ++s)
    for (int e = 0; e < 9; ++e) absolute.block(s)[e] = std::abs(K.block(s)[e]);
  for (Index c = 0; c < X.cols(); ++c) {
    const VectorXd x = X.col(c), size = x.cwiseAbs();
    K.multiply(x, product);
    absolute.multiply(size, magnitude);
    const VectorXd residual = scale * product + shift.cwiseProduct(x) - B.col(c);
    const double bound = (std::abs(scale) * magnitude + shift.cwiseAbs().cwiseProduct(size)).maxCoeff();
    worst = std::max(worst, residual.cwiseAbs().maxCoeff() / (bound + B.col(c).cwiseAbs().maxCoeff()));
  }
  return worst;
}
// Cholesky is backward stable: n roundoffs in the worst case, far fewer in practice.
constexpr double kRounding = 1e-13;

Couplings clique(int n) {
  Couplings couplings;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) couplings.emplace_back(i, j);
  return couplings;
}

Couplings two_parts() {
  Couplings couplings = box_couplings(4, 3, 2);
  const int first = box_vertices(4, 3, 2);
  for (const auto& [i, j] : box_couplings(2, 2, 5)) couplings.emplace_back(first + i, first + j);
  return couplings;
}

TEST_P(CholeskyTest, solves_as_the_dense_factorization_does) {
  const int two = box_vertices(4, 3, 2) + box_vertices(2, 2, 5);
  const std::vector<std::pair<int, Couplings>> graphs = {{1, {}},             // one vertex
                                                         {30, {}},            // nothing coupled
                                                         {two, two_parts()},  // two components
                                                         {60, clique(60)},    // dense
                                                         {box_vertices(9, 4, 4), box_couplings(9, 4, 4)},     // a bar
                                                         {box_vertices(40, 0, 0), box_couplings(40, 0, 0)}};  // a chain
  for (const auto& [blocks, couplings] : graphs) {
    const auto pattern = std::make_shared<BlockPattern>(blocks, couplings);
    const BlockMatrix K = spring_matrix(pattern, 11);
    const Index rows = 3 * blocks;
    const double scale = 0.7;
    const VectorXd shift = positive_shift(rows, 12);
    const MatrixXd B = random_matrix(rows, 4, 13);
    const auto cholesky = make(pattern);
    ASSERT_EQ(cholesky->factor(K, scale, shift), FactorStatus::ok) << blocks << " blocks";
    MatrixXd X = B;
    cholesky->solve(X);
    const MatrixXd expected = dense(K, scale, shift).llt().solve(B);
    // The matrices' condition numbers are below 1e3, so solutions agree to 1e3 roundoffs.
    EXPECT_LE((X - expected).norm(), 1e-12 * expected.norm()) << blocks << " blocks";
  }
}

TEST_P(CholeskyTest, solves_matrices_of_single_numbers_as_the_dense_factorization_does) {
  for (const auto& [rows, couplings] : std::vector<std::pair<int, Couplings>>{
           {1, {}}, {30, {}}, {60, clique(60)}, {box_vertices(9, 4, 4), box_couplings(9, 4, 4)}}) {
    const auto pattern = std::make_shared<BlockPattern>(rows, couplings);
    const VectorXd shift = positive_shift(rows, 3);
    VectorXd values = VectorXd::Zero(pattern->slots());
    MatrixXd A = MatrixXd(shift.asDiagonal());
    Random random(4);
    for (int j = 0; j < rows; ++j) {
      for (int s = pattern->column_begin[j] + 1; s < pattern->column_begin[j + 1]; ++s) {
        const int i = pattern->row[s];
        const double k = random() + 2;
        values[s] -= k;
        values[pattern->column_begin[i]] += k;
        values[pattern->column_begin[j]] += k;
        A(i, j) -= 0.7 * k, A(j, i) -= 0.7 * k, A(i, i) += 0.7 * k, A(j, j) += 0.7 * k;
      }
    }
    const auto cholesky = make_cholesky(pattern, GetParam(), 1);
    ASSERT_EQ(cholesky->factor(values, 0.7, shift), FactorStatus::ok);
    const MatrixXd B = random_matrix(rows, 3, 5), expected = A.llt().solve(B);
    MatrixXd X = B;
    cholesky->solve(X);
    EXPECT_LE((X - expected).norm(), 1e-12 * expected.norm()) << rows << " rows";
    EXPECT_THROW(cholesky->factor(BlockMatrix(pattern), 1, shift), Error);
  }
}

TEST_P(CholeskyTest, solves_blocks_of_any_width) {
  const auto pattern = box_pattern(12, 5, 5);
  const BlockMatrix K = spring_matrix(pattern);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = positive_shift(rows, 2);
  const auto cholesky = make(pattern);
  ASSERT_EQ(cholesky->factor(K, 1, shift), FactorStatus::ok);
  for (int width : {1, 2, 3, 7, 8, 32, 33, 100, 1, 0}) {
    const MatrixXd B = random_matrix(rows, width, 20 + width);
    MatrixXd X = B;
    cholesky->solve(X);
    EXPECT_LE(backward_error(K, 1, shift, X, B), kRounding) << width << " right-hand sides";
  }
}

TEST_P(CholeskyTest, solves_into_part_of_a_larger_matrix) {
  const auto pattern = box_pattern(3, 3, 3);
  const BlockMatrix K = spring_matrix(pattern);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = positive_shift(rows, 2);
  const auto cholesky = make(pattern);
  ASSERT_EQ(cholesky->factor(K, 1, shift), FactorStatus::ok);
  const MatrixXd B = random_matrix(rows + 10, 5, 3);
  MatrixXd X = B;
  cholesky->solve(X.block(4, 1, rows, 3));
  EXPECT_LE(backward_error(K, 1, shift, X.block(4, 1, rows, 3), B.block(4, 1, rows, 3)), kRounding);
  X.block(4, 1, rows, 3) = B.block(4, 1, rows, 3);
  EXPECT_EQ(X, B);  // nothing around it was touched
}

TEST_P(CholeskyTest, solves_a_large_bar) {
  const auto pattern = GetParam() == "eigen" ? box_pattern(20, 6, 6) : box_pattern(48, 12, 12);
  const BlockMatrix K = spring_matrix(pattern);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = positive_shift(rows, 2);
  const auto cholesky = make(pattern);
  ASSERT_EQ(cholesky->factor(K, 1, shift), FactorStatus::ok);
  const MatrixXd B = random_matrix(rows, 3, 4);
  MatrixXd X = B;
  cholesky->solve(X);
  EXPECT_LE(backward_error(K, 1, shift, X, B), kRounding);
}

TEST_P(CholeskyTest, solves_roughly_to_single_precision) {
  const auto pattern = box_pattern(12, 4, 4);
  const auto factor_of_numbers = make_cholesky(pattern, GetParam(), 1);
  const VectorXd values = random_matrix(pattern->slots(), 1, 5);
  const auto shift = [&](double a) { return VectorXd(VectorXd::Constant(pattern->blocks_per_side, a)); };
  for (const double diagonal : {30.0, 60.0}) {  // the second factor must not be taken for the first one
    ASSERT_EQ(factor_of_numbers->factor(values, 1, shift(diagonal)), FactorStatus::ok);
    for (int columns : {1, 2, 3, 5}) {
      const MatrixXd B = random_matrix(pattern->blocks_per_side, columns, 9);
      MatrixXd exact = B, rough = B;
      factor_of_numbers->solve(exact);
      factor_of_numbers->solve_single_precision(rough);
      EXPECT_LT((rough - exact).norm(), 1e-6 * exact.norm()) << columns << " right-hand sides";
    }
  }
}

TEST_P(CholeskyTest, forgets_a_right_hand_side_that_is_not_finite) {
  const auto pattern = box_pattern(8, 4, 4);
  const auto cholesky = make_cholesky(pattern, GetParam(), 1);
  ASSERT_EQ(
      cholesky->factor(random_matrix(pattern->slots(), 1, 5), 1, VectorXd::Constant(pattern->blocks_per_side, 30)),
      FactorStatus::ok);
  const MatrixXd B = random_matrix(pattern->blocks_per_side, 3, 9);
  MatrixXd before = B, bad = B, after = B;
  bad.col(1).setConstant(std::numeric_limits<double>::quiet_NaN());
  cholesky->solve(before);
  cholesky->solve(bad);
  cholesky->solve(after);
  EXPECT_EQ(before, after);
}

TEST_P(CholeskyTest, reports_indefinite_matrices_and_recovers) {
  const auto pattern = box_pattern(8, 4, 4);
  const BlockMatrix K = spring_matrix(pattern);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = positive_shift(rows, 2);
  const auto cholesky = make(pattern);
  MatrixXd X = random_matrix(rows, 2, 3);
  EXPECT_THROW(cholesky->solve(X), Error);
  EXPECT_EQ(cholesky->factor(K, -1, shift), FactorStatus::not_positive_definite);
  EXPECT_THROW(cholesky->solve(X), Error);
  VectorXd one_negative = shift;
  one_negative[rows / 2] = -1e3;
  EXPECT_EQ(cholesky->factor(K, 1, one_negative), FactorStatus::not_positive_definite);

  ASSERT_EQ(cholesky->factor(K, 1, shift), FactorStatus::ok);
  const MatrixXd B = X;
  cholesky->solve(X);
  EXPECT_LE(backward_error(K, 1, shift, X, B), kRounding);
}

TEST_P(CholeskyTest, reports_singular_matrices) {
  // Free springs: every translation is in the null space.
  for (const auto& pattern : {box_pattern(1, 1, 1), box_pattern(6, 3, 3), box_pattern(20, 8, 8)}) {
    const BlockMatrix K = spring_matrix(pattern);
    const VectorXd zero = VectorXd::Zero(3 * pattern->blocks_per_side);
    const auto cholesky = make(pattern);
    for (double scale : {1.0, 1e-12, 1e9, 0.0})
      EXPECT_EQ(cholesky->factor(K, scale, zero), FactorStatus::not_positive_definite) << "scale " << scale;
    // The smallest eigenvalue is now 1e-6 of the largest: no reason to refuse.
    EXPECT_EQ(cholesky->factor(K, 1, zero.array() + 1e-5), FactorStatus::ok);
  }
}

TEST_P(CholeskyTest, reports_numbers_that_are_not_finite) {
  const auto pattern = box_pattern(4, 4, 4);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = VectorXd::Ones(rows);
  const auto cholesky = make(pattern);
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    BlockMatrix K = spring_matrix(pattern);
    K.block(pattern->slots() / 2)[5] = bad;
    EXPECT_EQ(cholesky->factor(K, 1, shift), FactorStatus::not_positive_definite);
    VectorXd bad_shift = shift;
    bad_shift[7] = bad;
    EXPECT_EQ(cholesky->factor(spring_matrix(pattern), 1, bad_shift), FactorStatus::not_positive_definite);
  }
  EXPECT_EQ(cholesky->factor(spring_matrix(pattern), 1, shift), FactorStatus::ok);
}

MatrixXd solution(Cholesky& cholesky, const BlockMatrix& K, const VectorXd& shift, const MatrixXd& B) {
  EXPECT_EQ(cholesky.factor(K, 1, shift), FactorStatus::ok);
  MatrixXd X = B;
  cholesky.solve(X);
  return X;
}

bool same_bits(const MatrixXd& A, const MatrixXd& B) {
  return A.size() == B.size() && std::memcmp(A.data(), B.data(), sizeof(double) * A.size()) == 0;
}

TEST_P(CholeskyTest, refactoring_leaves_nothing_behind) {
  const auto pattern = box_pattern(16, 6, 6);
  const BlockMatrix K = spring_matrix(pattern, 1), other = spring_matrix(pattern, 2);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = positive_shift(rows, 2);
  const MatrixXd B = random_matrix(rows, 3, 4);
  const auto used = make(pattern);
  solution(*used, other, shift, B);
  EXPECT_EQ(used->factor(K, -1, shift), FactorStatus::not_positive_definite);
  EXPECT_TRUE(same_bits(solution(*used, K, shift, B), solution(*make(pattern), K, shift, B)));
}

TEST_P(CholeskyTest, has_the_same_bits_for_any_thread_count) {
  const auto pattern = GetParam() == "eigen" ? box_pattern(10, 5, 5) : box_pattern(36, 11, 11);  // 5328 vertices
  const BlockMatrix K = spring_matrix(pattern);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = positive_shift(rows, 2);
  for (int width : {1, 8}) {
    const MatrixXd B = random_matrix(rows, width, 4);
    set_thread_count(1);
    const MatrixXd reference = solution(*make(pattern), K, shift, B);
    for (int threads : {2, 4, 7}) {
      set_thread_count(threads);
      EXPECT_TRUE(same_bits(solution(*make(pattern), K, shift, B), reference)) << threads << " threads";
    }
  }
  set_thread_count(0);
}

TEST_P(CholeskyTest, refuses_what_does_not_fit) {
  const auto pattern = box_pattern(2, 2, 2);
  const Index rows = 3 * pattern->blocks_per_side;
  const auto cholesky = make(pattern);
  EXPECT_THROW(cholesky->factor(BlockMatrix(box_pattern(2, 2, 1)), 1, VectorXd::Ones(rows)), Error);
  EXPECT_THROW(cholesky->factor(BlockMatrix(pattern), 1, VectorXd::Ones(rows - 1)), Error);
  ASSERT_EQ(cholesky->factor(BlockMatrix(pattern), 1, VectorXd::Ones(rows)), FactorStatus::ok);
  MatrixXd short_one = MatrixXd::Ones(rows - 3, 1);
  EXPECT_THROW(cholesky->solve(short_one), Error);
}

TEST_P(CholeskyTest, takes_an_empty_system) {
  const auto pattern = std::make_shared<BlockPattern>(0, Couplings{});
  const auto cholesky = make(pattern);
  EXPECT_EQ(cholesky->factor(BlockMatrix(pattern), 1, VectorXd()), FactorStatus::ok);
  MatrixXd none(0, 2);
  cholesky->solve(none);
  EXPECT_EQ(cholesky->stats().factor_nonzeros, 0);
}

TEST_P(CholeskyTest, counts_the_factor) {
  const int n = 12;
  const auto stats = make(std::make_shared<BlockPattern>(n, clique(n)))->stats();
  EXPECT_EQ(stats.backend, GetParam());
  EXPECT_EQ(stats.factor_nonzeros, 3 * n * (3 * n + 1) / 2);
  EXPECT_EQ(stats.factor_flops, 3 * n * (3 * n + 1) * (6 * n + 1) / 6);  // sum of the squared column lengths
}

TEST(MakeCholesky, refuses_unknown_backends) {
  EXPECT_THROW(make_cholesky(box_pattern(1, 1, 1), "cholseky"), Error);
  EXPECT_THROW(make_cholesky(nullptr), Error);
}

TEST(MakeCholesky, picks_a_backend_by_itself) {
  for (const auto& pattern : {box_pattern(2, 1, 1), box_pattern(20, 5, 5)}) {
    const auto cholesky = make_cholesky(pattern);
    const Index rows = 3 * pattern->blocks_per_side;
    const MatrixXd B = random_matrix(rows, 1, 4);
    const VectorXd shift = VectorXd::Ones(rows);
    const BlockMatrix K = spring_matrix(pattern);
    EXPECT_LE(backward_error(K, 1, shift, solution(*cholesky, K, shift, B), B), kRounding);
  }
}

}  // namespace
}  // namespace brio::testing

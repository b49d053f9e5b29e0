#include "brio/linalg/block_matrix.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"
#include <cstring>
#include <set>

namespace brio::testing {
namespace {

Couplings random_couplings(int blocks, int count, uint64_t seed) {
  Random random(seed);
  Couplings couplings;
  const auto pick = [&] { return static_cast<int>((random() + 1) / 2 * blocks); };
  for (int k = 0; k < count; ++k) couplings.emplace_back(pick(), pick());
  return couplings;
}

TEST(BlockPattern, holds_every_coupling_once_and_every_diagonal) {
  const int n = 40;
  const Couplings couplings = random_couplings(n, 300, 3);
  std::set<std::pair<int, int>> expected;  // (column, row)
  for (int i = 0; i < n; ++i) expected.emplace(i, i);
  for (const auto& [i, j] : couplings) expected.emplace(std::min(i, j), std::max(i, j));

  const BlockPattern p(n, couplings);
  ASSERT_EQ(p.slots(), static_cast<int>(expected.size()));
  int slot = 0;
  for (const auto& [column, row] : expected) {  // a set iterates column by column, rows increasing
    EXPECT_EQ(p.row[slot], row);
    EXPECT_GE(slot, p.column_begin[column]);
    EXPECT_LT(slot, p.column_begin[column + 1]);
    EXPECT_EQ(p.slot(row, column), slot);
    EXPECT_EQ(p.slot(column, row), slot);
    ++slot;
  }
}

TEST(BlockPattern, rows_list_the_same_blocks_as_columns) {
  const BlockPattern p(30, random_couplings(30, 120, 5));
  int entries = 0;
  for (int i = 0; i < 30; ++i) {
    for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k, ++entries) {
      EXPECT_LT(p.row_column[k], i);
      EXPECT_EQ(p.row_slot[k], p.slot(i, p.row_column[k]));
      EXPECT_TRUE(k == p.row_begin[i] || p.row_column[k - 1] < p.row_column[k]);
    }
  }
  EXPECT_EQ(entries, p.slots() - 30);
}

TEST(BlockPattern, refuses_what_is_outside) {
  EXPECT_THROW(BlockPattern(-1, {}), Error);
  EXPECT_THROW(BlockPattern(3, {{0, 3}}), Error);
  EXPECT_THROW(BlockPattern(3, {{-1, 0}}), Error);
  const BlockPattern p(3, {{0, 1}});
  EXPECT_THROW(p.slot(2, 0), Error);
  EXPECT_THROW(p.slot(0, 3), Error);
  EXPECT_THROW(p.slot(-1, 0), Error);
}

TEST(BlockPattern, may_be_empty) {
  const auto pattern = std::make_shared<BlockPattern>(0, Couplings{});
  EXPECT_EQ(pattern->slots(), 0);
  BlockMatrix A(pattern);
  A.set_zero();
  VectorXd y;
  A.multiply(VectorXd(), y);
  EXPECT_EQ(y.size(), 0);
}

TEST(BlockMatrix, multiplies_as_the_dense_matrix_does) {
  for (const auto& pattern : {box_pattern(5, 3, 2), std::make_shared<const BlockPattern>(1, Couplings{}),
                              std::make_shared<const BlockPattern>(60, random_couplings(60, 900, 7))}) {
    const BlockMatrix A = spring_matrix(pattern, 2);
    const Index n = 3 * pattern->blocks_per_side;
    const VectorXd x = random_matrix(n, 1, 9);
    VectorXd y;
    A.multiply(x, y);
    const MatrixXd full = dense(A, 1, VectorXd::Zero(n));
    // Rounding of a row sum: a few hundred terms of unit roundoff each.
    const double tolerance = 1e-13 * (full.cwiseAbs() * x.cwiseAbs()).maxCoeff();
    EXPECT_LE((y - full * x).cwiseAbs().maxCoeff(), tolerance);
  }
}

TEST(BlockMatrix, multiplies_several_columns_as_one_by_one) {
  std::vector<double> work;
  for (const auto& pattern : {box_pattern(40, 10, 10), std::make_shared<const BlockPattern>(1, Couplings{}),
                              std::make_shared<const BlockPattern>(60, random_couplings(60, 900, 7))}) {
    const BlockMatrix A = spring_matrix(pattern, 2);
    const Index n = 3 * pattern->blocks_per_side;
    for (int columns : {0, 1, 7, 8, 23}) {
      const MatrixXd X = random_matrix(n, columns, 9);
      MatrixXd Y = MatrixXd::Constant(n, columns, 1e300);
      A.multiply(X, Y, work);
      VectorXd y;
      for (int c = 0; c < columns; ++c) {
        A.multiply(X.col(c), y);
        // The same sums in the same order; only where multiplications and additions are fused may differ.
        EXPECT_LE((Y.col(c) - y).cwiseAbs().maxCoeff(), 1e-14 * y.cwiseAbs().maxCoeff()) << c << " of " << columns;
      }
    }
  }
  const BlockMatrix small(box_pattern(1, 1, 1));
  MatrixXd short_columns(3, 2), one_column(24, 1);
  EXPECT_THROW(small.multiply(short_columns, short_columns, work), Error);
  EXPECT_THROW(small.multiply(MatrixXd(24, 2), one_column, work), Error);
}

TEST(BlockMatrix, off_diagonal_blocks_need_not_be_symmetric) {
  BlockMatrix A(std::make_shared<BlockPattern>(2, Couplings{{0, 1}}));
  double* a = A.block(A.pattern().slot(1, 0));
  for (int e = 0; e < 9; ++e) a[e] = e + 1;
  VectorXd y;
  A.multiply((VectorXd(6) << 1, 0, 0, 0, 0, 1).finished(), y);
  EXPECT_EQ(y, (VectorXd(6) << 7, 8, 9, 1, 4, 7).finished());
}

TEST(BlockMatrix, products_have_the_same_bits_for_any_thread_count) {
  const auto pattern = box_pattern(40, 10, 10);
  const BlockMatrix A = spring_matrix(pattern);
  const VectorXd x = random_matrix(3 * pattern->blocks_per_side, 1, 4);
  const MatrixXd X = random_matrix(3 * pattern->blocks_per_side, 11, 5);
  VectorXd reference, y;
  MatrixXd block_reference(X.rows(), X.cols()), Y(X.rows(), X.cols());
  std::vector<double> work;
  set_thread_count(1);
  A.multiply(x, reference);
  A.multiply(X, block_reference, work);
  for (int threads : {2, 4, 7}) {
    set_thread_count(threads);
    A.multiply(x, y);
    EXPECT_EQ(std::memcmp(y.data(), reference.data(), sizeof(double) * y.size()), 0) << threads << " threads";
    A.multiply(X, Y, work);
    EXPECT_EQ(std::memcmp(Y.data(), block_reference.data(), sizeof(double) * Y.size()), 0) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(BlockMatrix, is_zero_after_set_zero) {
  BlockMatrix A = spring_matrix(box_pattern(12, 12, 12));
  A.set_zero();
  for (int s = 0; s < A.pattern().slots(); ++s)
    for (int e = 0; e < 9; ++e) ASSERT_EQ(A.block(s)[e], 0);
}

TEST(BlockMatrix, refuses_a_vector_of_another_size) {
  const BlockMatrix A(box_pattern(1, 1, 1));
  VectorXd y;
  EXPECT_THROW(A.multiply(VectorXd::Zero(3), y), Error);
}

}  // namespace
}  // namespace brio::testing

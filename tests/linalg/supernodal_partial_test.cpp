#include "brio/linalg/partial_cholesky.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"

namespace brio::testing {
namespace {

struct Kept {
  const char* name;
  Couplings couplings;
  int blocks, kept;
};

/// What is kept may be anywhere in the body, touch only some of its pieces, or be all or nothing of it.
std::vector<Kept> cases() {
  const auto turned = [](Couplings couplings, int blocks) {  // so that those kept are the other end, or scattered
    for (auto& [i, j] : couplings) i = 7 * i % blocks, j = 7 * j % blocks;
    return couplings;
  };
  Couplings pieces = box_couplings(1, 1, 3);
  for (const auto& [i, j] : box_couplings(2, 1, 1)) pieces.emplace_back(16 + i, 16 + j);
  return {{"an_end", box_couplings(12, 3, 3), box_vertices(12, 3, 3), 16},
          {"scattered", turned(box_couplings(9, 2, 2), 90), 90, 11},
          {"one_of_two_pieces", pieces, 28, 4},
          {"a_whole_piece", pieces, 28, 12},
          {"single_blocks", {}, 6, 2},
          {"all", box_couplings(1, 1, 1), 8, 8},
          {"nothing", box_couplings(3, 2, 2), 36, 0}};
}

class PartialCholeskyTest : public ::testing::TestWithParam<Kept> {};
INSTANTIATE_TEST_SUITE_P(Linalg, PartialCholeskyTest, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(PartialCholeskyTest, leaves_the_schur_complement_and_solves_in_two_halves) {
  const Kept& c = GetParam();
  const auto pattern = std::make_shared<BlockPattern>(c.blocks, Couplings(c.couplings));
  const BlockMatrix K = spring_matrix(pattern);
  const Index n = 3 * c.blocks, kept = 3 * c.kept, others = n - kept;
  const VectorXd shift = (random_matrix(n, 1, 3).array() + 1.5).matrix();
  const MatrixXd A = dense(K, 0.7, shift);
  const auto factor = make_partial_cholesky(pattern, c.kept);
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(factor->factor(K, 0.7, shift), FactorStatus::ok);
    MatrixXd S = A.bottomRightCorner(kept, kept);
    if (others > 0)
      S -= A.bottomLeftCorner(kept, others) *
           A.topLeftCorner(others, others).llt().solve(A.topRightCorner(others, kept));
    for (Index i = 0; i < kept; ++i)
      for (Index j = 0; j <= i; ++j) EXPECT_NEAR(factor->left_over(i, j), S(i, j), 1e-12 * A.norm()) << i << ' ' << j;

    const VectorXd b = random_matrix(n, 1, 5);
    VectorXd x = b;
    factor->forward_single_precision(x);
    EXPECT_EQ(x.head(others), b.head(others));
    if (kept > 0) {
      VectorXd left = b.tail(kept);
      if (others > 0)
        left -= A.bottomLeftCorner(kept, others) * A.topLeftCorner(others, others).llt().solve(b.head(others));
      EXPECT_LT((x.tail(kept) - left).norm(), 1e-5 * b.norm());
      x.tail(kept) = S.llt().solve(left);
    }
    factor->backward_single_precision(x);
    EXPECT_LT((x - A.llt().solve(b)).norm(), 1e-5 * x.norm());
  }
}

TEST(PartialCholesky, looks_at_the_pivots_of_what_it_eliminates_alone) {
  const auto pattern = box_pattern(3, 1, 1);
  const BlockMatrix K = spring_matrix(pattern);
  VectorXd shift = VectorXd::Constant(3 * pattern->blocks_per_side, 1);
  const auto factor = make_partial_cholesky(pattern, 2);
  shift.tail(6).setConstant(-1e6);
  EXPECT_EQ(factor->factor(K, 1, shift), FactorStatus::ok);
  shift.head(3).setConstant(-1e6);
  EXPECT_EQ(factor->factor(K, 1, shift), FactorStatus::not_positive_definite);
}

}  // namespace
}  // namespace brio::testing

// The longest chain of pieces of a factorization: where it is known, and that large fronts are cut.

#include "brio/linalg/supernodal_chain.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

/// Dense blocks of `size` each that have nothing to do with each other.
Symbolic cliques(int count, int size) {
  std::vector<std::pair<int, int>> couplings;
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < i; ++j) couplings.emplace_back(k * size + i, k * size + j);
  return Symbolic(BlockPattern(count * size, couplings), 3);
}

TEST(SupernodalChain, a_small_front_is_one_piece) {
  const Symbolic symbolic = cliques(1, 12);
  EXPECT_NEAR(longest_chain(symbolic), symbolic.flops, 0.1 * symbolic.flops);
}

TEST(SupernodalChain, what_is_apart_does_not_wait) {
  const Symbolic one = cliques(1, 40), four = cliques(4, 40);
  EXPECT_EQ(longest_chain(four), longest_chain(one));
  EXPECT_NEAR(four.flops, 4 * one.flops, 1e-9 * four.flops);
}

TEST(SupernodalChain, a_large_front_is_cut_into_pieces) {
  const Symbolic symbolic = cliques(1, 500);  // 1500 rows, as the root of a bar of 32k tetrahedra has
  EXPECT_GT(symbolic.flops / longest_chain(symbolic), 8);
}

}  // namespace
}  // namespace brio

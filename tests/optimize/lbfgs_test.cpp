// L-BFGS against the textbook's recursion.

#include "brio/optimize/lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>

namespace brio {
namespace {

using Pairs = std::deque<std::pair<VectorXd, VectorXd>>;

/// -H g by Nocedal and Wright 2006, algorithm 7.4, with H0 a multiple of the inverse of a diagonal matrix.
VectorXd textbook_direction(const Pairs& pairs, const VectorXd& diagonal, bool scaled, const VectorXd& g) {
  VectorXd r = -g;
  std::vector<double> alpha(pairs.size());
  for (int i = static_cast<int>(pairs.size()) - 1; i >= 0; --i) {
    const auto& [s, t] = pairs[i];
    alpha[i] = s.dot(r) / s.dot(t);
    r -= alpha[i] * t;
  }
  r = r.cwiseQuotient(diagonal);
  if (scaled && !pairs.empty()) {
    const auto& [s, t] = pairs.back();
    r *= s.dot(t) / t.dot(t.cwiseQuotient(diagonal));
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto& [s, t] = pairs[i];
    r += s * (alpha[i] - t.dot(r) / s.dot(t));
  }
  return r;
}

class LbfgsTest : public ::testing::TestWithParam<std::tuple<int, bool>> {};
INSTANTIATE_TEST_SUITE_P(WindowAndScaled, LbfgsTest, ::testing::Combine(::testing::Values(1, 3, 8), ::testing::Bool()));

TEST_P(LbfgsTest, does_what_the_textbook_says) {
  const int n = 5000, steps = 30;  // enough for the memory to be tidied up several times
  const auto [window, scaled] = GetParam();
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return VectorXd(VectorXd::NullaryExpr(n, [&] { return normal(random); })); };
  const VectorXd diagonal = vector().cwiseAbs().array() + 1, curvature = vector().cwiseAbs().array() + 0.1;
  Lbfgs memory(window, scaled);
  Pairs pairs;
  VectorXd g = vector(), d;
  for (int k = 0; k < steps; ++k) {
    if (k % 3 == 2) memory.find_direction(2 * g, g, d);  // not followed, and so forgotten
    const double slope = memory.find_direction(g, g.cwiseQuotient(diagonal), d);
    const VectorXd expected = textbook_direction(pairs, diagonal, scaled, g);
    // What is remembered has the 24 bits of single precision, and the recursion makes some ten times more of its error.
    EXPECT_LT((d - expected).norm(), 1e-6 * expected.norm()) << "step " << k;
    // Exact but when the memory was tidied up, which rounds the directions in it.
    EXPECT_NEAR(slope, g.dot(d), 1e-8 * g.norm() * d.norm());
    const double length = k % 2 == 0 ? 1 : 0.25;
    const VectorXd change = curvature.cwiseProduct(length * d);
    memory.took(length);
    pairs.emplace_back(length * d, change);
    if (static_cast<int>(pairs.size()) > window) pairs.pop_front();
    g += change;
  }
}

TEST(Lbfgs, passes_over_steps_without_curvature) {
  Lbfgs memory(4);
  const VectorXd g = VectorXd::LinSpaced(9, 1, 2);  // eighths, which single precision has
  VectorXd d;
  EXPECT_NEAR(memory.find_direction(g, g, d), -g.dot(g), 1e-12);
  EXPECT_EQ(d, -g);
  memory.took(1);
  const VectorXd steeper = 2 * g;  // along -g the slope has fallen
  memory.find_direction(steeper, steeper, d);
  EXPECT_EQ(d, -steeper);
}

}  // namespace
}  // namespace brio

// The logarithm of eight numbers at once against the standard library's.
#include "brio/core/load_vector.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace brio {
namespace {

void expect_logarithm(double x) {
  const double found = log(splat(x))[kLanes - 1], expected = static_cast<double>(std::log(static_cast<long double>(x)));
  EXPECT_NEAR(found, expected, std::numeric_limits<double>::epsilon() * std::fabs(expected)) << x;  // one unit at most
}

TEST(Pack, logarithm_is_right_to_the_last_place) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int k = 0; k < 20000; ++k) {
    expect_logarithm(std::exp(700 * unit(random)));
    for (double center : {1.0, std::sqrt(0.5), std::sqrt(2.0), 2.0})
      for (double width : {0.3, 1e-6, 1e-13}) expect_logarithm(center * (1 + width * unit(random)));
  }
  expect_logarithm(1);
}

TEST(Pack, logarithm_of_unusual_numbers_is_the_standard_librarys) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double numbers[] = {0.0, -1.0, kInfinity, NAN, 5e-324, std::numeric_limits<double>::max(), 0x1p-1022, 3.0};
  const Pack mixed = load_vector<Pack>(numbers);
  const Pack found = log(mixed);
  EXPECT_EQ(found[0], -kInfinity);
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_EQ(found[2], kInfinity);
  EXPECT_TRUE(std::isnan(found[3]));
  EXPECT_EQ(found[4], std::log(5e-324));
  for (int l = 5; l < kLanes; ++l) EXPECT_EQ(found[l], log(splat(mixed[l]))[0]) << "the neighbors change nothing";
}

}  // namespace
}  // namespace brio

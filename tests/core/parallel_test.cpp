#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace brio {
namespace {

TEST(Parallel, every_index_once) {
  for (int n : {0, 1, 7, 256, 257, 100000}) {
    std::vector<int> visits(n, 0);
    parallel_for(n, 3, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; })) << n;
  }
}

TEST(Parallel, sums_have_the_same_bits_for_any_number_of_threads) {
  const auto sum = [] {
    return parallel_sum(99991, 10, [](int begin, int end) {
      double s = 0;
      for (int i = begin; i < end; ++i) s += std::sin(i) * std::pow(10.0, i % 17);
      return s;
    });
  };
  set_thread_count(1);
  const double one = sum();
  for (int threads : {2, 5, 0}) {
    set_thread_count(threads);
    EXPECT_EQ(sum(), one) << threads;
  }
  EXPECT_GE(thread_count(), 1);
}

}  // namespace
}  // namespace brio

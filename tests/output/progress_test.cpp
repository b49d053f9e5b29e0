// The progress display, without a terminal and without waiting: time is an argument.

#include "brio/output/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace brio {
namespace {

TEST(Progress, readable_seconds) {
  EXPECT_EQ(readable_seconds(0), "0.0 s");
  EXPECT_EQ(readable_seconds(-1), "0.0 s");
  EXPECT_EQ(readable_seconds(1.234e-4), "0.123 ms");
  EXPECT_EQ(readable_seconds(0.5), "500 ms");
  EXPECT_EQ(readable_seconds(0.9999), "1.0 s");
  EXPECT_EQ(readable_seconds(2.34), "2.3 s");
  EXPECT_EQ(readable_seconds(9.97), "10 s");
  EXPECT_EQ(readable_seconds(59.4), "59 s");
  EXPECT_EQ(readable_seconds(59.6), "1 min 00 s");
  EXPECT_EQ(readable_seconds(125), "2 min 05 s");
  EXPECT_EQ(readable_seconds(3725), "1 h 02 min");
}

TEST(Progress, bar_on_a_terminal) {
  std::ostringstream out;
  Progress progress(out, 60, 200);
  progress.update(0, 0);
  progress.update(50, 10);
  EXPECT_EQ(out.str(),
            "\r[..................................]   0 %  step 0 of 200  \x1b[K"
            "\r[######..................]  25 %  step 50 of 200  30 s left\x1b[K");
  progress.update(200, 20);
  progress.finish();
  EXPECT_TRUE(out.str().ends_with("100 %  step 200 of 200  0.0 s left\x1b[K\n"));
}

TEST(Progress, bar_is_drawn_at_most_ten_times_a_second) {
  std::ostringstream out;
  Progress progress(out, 80, 100000);
  for (int step = 0; step < 10000; ++step) progress.update(step, step * 1e-4);  // one second
  const std::string text = out.str();
  EXPECT_NEAR(static_cast<double>(std::count(text.begin(), text.end(), '\r')), 10, 1);
}

TEST(Progress, no_line_is_wider_than_the_terminal) {
  for (int width : {1, 10, 30, 80, 200}) {
    std::ostringstream out;
    Progress progress(out, width, 1000000);
    progress.update(123456, 7000);
    const std::string text = out.str();
    EXPECT_LT(text.find('\x1b') - 1, static_cast<size_t>(width));
  }
}

TEST(Progress, plain_lines_elsewhere) {
  std::ostringstream out;
  Progress progress(out, 0, 100);
  for (int step = 0; step <= 100; ++step) progress.update(step, 0.5 * step);
  progress.finish();
  const std::string text = out.str();
  EXPECT_TRUE(
      text.starts_with("step 2 of 100 (2 %), 500 ms a step, 49 s left\n"
                       "step 10 of 100 (10 %), 500 ms a step, 45 s left\n"))
      << text;
  EXPECT_TRUE(text.ends_with("\nstep 100 of 100 (100 %), 500 ms a step, 0.0 s left\n")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
  EXPECT_EQ(text.find('\r'), text.npos);
}

TEST(Progress, slow_runs_say_that_they_are_alive) {
  std::ostringstream out;
  Progress progress(out, 0, 1000);
  for (int step = 0; step <= 20; ++step) progress.update(step, 20.0 * step);  // 400 s, always below ten percent
  const std::string text = out.str();
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 9);
}

TEST(Progress, fast_runs_print_one_line) {
  std::ostringstream out;
  Progress progress(out, 0, 1000);
  for (int step = 0; step <= 1000; ++step) progress.update(step, 1e-4 * step);
  EXPECT_EQ(out.str(), "step 1000 of 1000 (100 %), 0.1 ms a step, 0.0 s left\n");
}

}  // namespace
}  // namespace brio

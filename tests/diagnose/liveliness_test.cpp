// Series whose swings are known.

#include "brio/diagnose/liveliness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace brio {
namespace {

TimeSeries sampled(const std::function<double(double)>& f, double h, double end) {
  TimeSeries series;
  for (int i = 0; i * h <= end + h / 2; ++i) {
    series.time.push_back(i * h);
    series.value.push_back(f(i * h));
  }
  return series;
}

/// The series along y, of a point that else stands still.
Path path_of(const TimeSeries& series) {
  Path path{series.time, {}};
  for (double value : series.value) path.position.emplace_back(1, value, -2);
  return path;
}

std::optional<Oscillation> oscillation(const TimeSeries& series) { return measure_oscillation(path_of(series)); }

TEST(Liveliness, undamped_cosine) {
  constexpr double omega = 7;
  const auto series = sampled([](double t) { return 3 + 0.2 * std::cos(omega * t); }, 0.01, 5);
  const auto points = turning_points(series);
  ASSERT_EQ(points.size(), 12u);  // at rest at the start, then every pi / omega up to 35 / pi = 11.1 of them
  for (size_t k = 0; k < points.size(); ++k) {
    EXPECT_NEAR(points[k].time, static_cast<double>(k) * M_PI / omega,
                1e-4);  // parabola: error of order (h omega)^3 / omega
    EXPECT_NEAR(points[k].value, k % 2 == 0 ? 3.2 : 2.8, 1e-6);
  }
  const auto found = oscillation(series);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->swings, 5);  // 35 / (2 pi) = 5.57 periods and the quarter before them
  EXPECT_NEAR(found->omega, omega, 1e-3);
  EXPECT_NEAR(found->amplitude_ratio, 1, 1e-5);
  EXPECT_NEAR(found->damping, 0, 1e-5);
}

TEST(Liveliness, decay_is_found) {
  constexpr double omega = 9, d = 0.8;
  // A damped oscillator released from rest: each swing is exp(-d pi / omega) of the one before.
  const auto series = sampled(
      [](double t) { return 1 - std::exp(-d * t / 2) * (std::cos(omega * t) + d / (2 * omega) * std::sin(omega * t)); },
      0.01, 4);
  const auto found = oscillation(series);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->omega, omega, 0.01);
  EXPECT_NEAR(found->damping, d, 0.002);
  EXPECT_NEAR(found->amplitude_ratio, std::exp(-d * M_PI / omega), 5e-4);
}

TEST(Liveliness, energy_that_goes_over_to_another_direction_is_not_lost) {
  // Two directions at the same frequency, the motion turning slowly from one to the other, with d = 0.2.
  Path path;
  for (double t = 0; t < 6; t += 0.01) {
    const double swing = std::exp(-0.1 * t) * std::cos(12 * t);
    path.time.push_back(t);
    path.position.emplace_back(0.3, std::cos(0.5 * t) * swing, std::sin(0.5 * t) * swing);
  }
  const auto found = measure_oscillation(path);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->omega, 12, 0.15);  // less exact where the direction followed comes to rest
  // The box of one period is off by the turning during it, about (0.5 pi / 12)^2 / 2 of its size.
  EXPECT_NEAR(found->damping, 0.2, 0.02);
  // Seen along one direction only, the same motion would seem to die within pi seconds.
  Path one_direction = path;
  for (Vec3& x : one_direction.position) x[2] = 0;
  EXPECT_GT(measure_oscillation(one_direction)->damping, 0.3);
}

TEST(Liveliness, growth_is_negative_damping) {
  const auto found = oscillation(sampled([](double t) { return std::exp(0.15 * t) * std::sin(6 * t); }, 0.01, 6));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->damping, -0.3, 0.003);
  EXPECT_GT(found->amplitude_ratio, 1);
}

TEST(Liveliness, start_in_full_motion_is_no_turning_point) {
  const auto points = turning_points(sampled([](double t) { return std::sin(5 * t); }, 0.01, 2));
  ASSERT_FALSE(points.empty());
  EXPECT_NEAR(points[0].time, M_PI / 10, 1e-4);
}

TEST(Liveliness, small_ripple_is_not_a_swing) {
  const auto plain = [](double t) { return std::cos(4 * t); };
  const auto with_ripple = [&](double t) { return plain(t) + 0.01 * std::cos(90 * t); };
  EXPECT_EQ(turning_points(sampled(with_ripple, 0.002, 6)).size(), turning_points(sampled(plain, 0.002, 6)).size());
}

TEST(Liveliness, uneven_times_are_fine) {
  TimeSeries series;
  for (double t = 0; t < 4; t += series.time.size() % 2 ? 0.006 : 0.012) {
    series.time.push_back(t);
    series.value.push_back(std::exp(-0.25 * t) * std::cos(8 * t));
  }
  const auto found = oscillation(series);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->damping, 0.5, 0.002);
}

TEST(Liveliness, nothing_to_measure) {
  EXPECT_FALSE(measure_oscillation({}));
  EXPECT_FALSE(measure_oscillation({{0.0}, {Vec3::Zero()}}));
  EXPECT_FALSE(oscillation({{0, 1, 2, 3}, {5, 5, 5, 5}}));
  EXPECT_FALSE(oscillation(sampled([](double t) { return t; }, 0.1, 5)));
  EXPECT_FALSE(oscillation(sampled([](double t) { return std::exp(-t); }, 0.1, 5)));
  EXPECT_FALSE(oscillation(sampled([](double) { return NAN; }, 0.1, 5)));
}

TEST(Liveliness, energy_kept) {
  EXPECT_DOUBLE_EQ(*energy_kept(-3, 5, -5), 0.2);
  EXPECT_DOUBLE_EQ(*energy_kept(5, 5, -5), 1);
  EXPECT_GT(*energy_kept(8, 5, -5), 1);
  EXPECT_FALSE(energy_kept(1, -5, -5));
  EXPECT_FALSE(energy_kept(NAN, 5, 0));
}

}  // namespace
}  // namespace brio

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

TEST(Liveliness, UndampedCosine) {
  constexpr double omega = 7;
  const auto series = sampled([](double t) { return 3 + 0.2 * std::cos(omega * t); }, 0.01, 5);
  const auto points = turning_points(series);
  ASSERT_EQ(points.size(), 12u);  // at rest at the start, then every pi / omega up to 35 / pi = 11.1 of them
  for (size_t k = 0; k < points.size(); ++k) {
    EXPECT_NEAR(points[k].time, static_cast<double>(k) * M_PI / omega,
                1e-4);  // parabola: error of order (h omega)^3 / omega
    EXPECT_NEAR(points[k].value, k % 2 == 0 ? 3.2 : 2.8, 1e-6);
  }
  const auto found = measure_oscillation(series);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->swings, 11);
  EXPECT_NEAR(found->omega, omega, 1e-3);
  EXPECT_NEAR(found->amplitude_ratio, 1, 1e-5);
  EXPECT_NEAR(found->damping, 0, 1e-5);
}

TEST(Liveliness, DecayIsFound) {
  constexpr double omega = 9, d = 0.8;
  // A damped oscillator released from rest: its swings shrink by exactly exp(-d pi / (2 omega)).
  const auto series = sampled(
      [](double t) { return 1 - std::exp(-d * t / 2) * (std::cos(omega * t) + d / (2 * omega) * std::sin(omega * t)); },
      0.01, 4);
  const auto found = measure_oscillation(series);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->omega, omega, 0.01);
  EXPECT_NEAR(found->damping, d, 0.002);
  EXPECT_NEAR(found->amplitude_ratio, std::exp(-d * M_PI / omega), 5e-4);
}

TEST(Liveliness, GrowthIsNegativeDamping) {
  const auto found =
      measure_oscillation(sampled([](double t) { return std::exp(0.15 * t) * std::sin(6 * t); }, 0.01, 6));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->damping, -0.3, 0.003);
  EXPECT_GT(found->amplitude_ratio, 1);
}

TEST(Liveliness, StartInFullMotionIsNoTurningPoint) {
  const auto points = turning_points(sampled([](double t) { return std::sin(5 * t); }, 0.01, 2));
  ASSERT_FALSE(points.empty());
  EXPECT_NEAR(points[0].time, M_PI / 10, 1e-4);
}

TEST(Liveliness, SmallRippleIsNotASwing) {
  const auto plain = [](double t) { return std::cos(4 * t); };
  const auto with_ripple = [&](double t) { return plain(t) + 0.01 * std::cos(90 * t); };
  EXPECT_EQ(turning_points(sampled(with_ripple, 0.002, 6)).size(), turning_points(sampled(plain, 0.002, 6)).size());
}

TEST(Liveliness, UnevenTimesAreFine) {
  TimeSeries series;
  for (double t = 0; t < 4; t += series.time.size() % 2 ? 0.006 : 0.012) {
    series.time.push_back(t);
    series.value.push_back(std::exp(-0.25 * t) * std::cos(8 * t));
  }
  const auto found = measure_oscillation(series);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->damping, 0.5, 0.002);
}

TEST(Liveliness, NothingToMeasure) {
  EXPECT_FALSE(measure_oscillation({}));
  EXPECT_FALSE(measure_oscillation({{0, 1, 2, 3}, {5, 5, 5, 5}}));
  EXPECT_FALSE(measure_oscillation(sampled([](double t) { return t; }, 0.1, 5)));
  EXPECT_FALSE(measure_oscillation(sampled([](double t) { return std::exp(-t); }, 0.1, 5)));
  EXPECT_FALSE(measure_oscillation(sampled([](double) { return NAN; }, 0.1, 5)));
}

TEST(Liveliness, EnergyKept) {
  EXPECT_DOUBLE_EQ(*energy_kept(-3, 5, -5), 0.2);
  EXPECT_DOUBLE_EQ(*energy_kept(5, 5, -5), 1);
  EXPECT_GT(*energy_kept(8, 5, -5), 1);
  EXPECT_FALSE(energy_kept(1, -5, -5));
  EXPECT_FALSE(energy_kept(NAN, 5, 0));
}

}  // namespace
}  // namespace brio

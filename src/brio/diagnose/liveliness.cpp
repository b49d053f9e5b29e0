#include "brio/diagnose/liveliness.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// The top or bottom of the parabola through three samples.
TurningPoint vertex(const TimeSeries& s, size_t middle) {
  const double y = s.value[middle];
  const double a = s.time[middle - 1] - s.time[middle], b = s.time[middle + 1] - s.time[middle];
  const double slope_a = (s.value[middle - 1] - y) / a, slope_b = (s.value[middle + 1] - y) / b;
  const double curvature = (slope_b - slope_a) / (b - a), slope = slope_a - curvature * a;
  if (curvature == 0) return {s.time[middle], y};
  const double t = std::clamp(-slope / (2 * curvature), a, b);
  return {s.time[middle] + t, y + t * (slope + curvature * t)};
}

/// Whether the first slope, to second order in the sampling, is small beside the greatest.
bool starts_at_rest(const TimeSeries& s) {
  constexpr double kSmall = 0.1;
  const auto slope = [&](size_t i, size_t j) { return (s.value[j] - s.value[i]) / (s.time[j] - s.time[i]); };
  double greatest = 0;
  for (size_t i = 1; i < s.value.size(); ++i) greatest = std::max(greatest, std::fabs(slope(i - 1, i)));
  const double share = (s.time[1] - s.time[0]) / (s.time[2] - s.time[0]);
  const double first = (slope(0, 1) - share * slope(0, 2)) / (1 - share);
  return std::fabs(first) <= kSmall * greatest;
}

}  // namespace

std::vector<TurningPoint> turning_points(const TimeSeries& s) {
  std::vector<TurningPoint> points;
  if (s.value.size() < 3) return points;
  const auto [least, greatest] = std::minmax_element(s.value.begin(), s.value.end());
  const double threshold = (*greatest - *least) / 30;
  if (!(threshold > 0) || !std::isfinite(threshold)) return points;

  size_t low = 0, high = 0;
  int direction = 0;  // +1: on the way up
  const auto turn = [&](size_t at, int next) {
    if (at > 0)
      points.push_back(vertex(s, at));
    else if (starts_at_rest(s))
      points.push_back({s.time[0], s.value[0]});
    direction = next;
  };
  for (size_t i = 1; i < s.value.size(); ++i) {
    if (s.value[i] > s.value[high]) high = i;
    if (s.value[i] < s.value[low]) low = i;
    if (direction >= 0 && s.value[high] - s.value[i] > threshold) {
      turn(high, -1);
      low = i;
    } else if (direction <= 0 && s.value[i] - s.value[low] > threshold) {
      turn(low, 1);
      high = i;
    }
  }
  return points;
}

/// The fit weighs each swing by the square of its length: an error of the positions is an error of the logarithm that
/// grows as the swing gets shorter.
std::optional<Oscillation> measure_oscillation(const TimeSeries& series) {
  const std::vector<TurningPoint> points = turning_points(series);
  if (points.size() < 3) return {};
  Oscillation found;
  found.swings = static_cast<int>(points.size()) - 1;
  const double span = points.back().time - points.front().time;
  found.omega = M_PI * found.swings / span;

  double w = 0, wt = 0, wy = 0, wtt = 0, wty = 0, first = 0, last = 0;
  for (size_t i = 1; i < points.size(); ++i) {
    const double length = std::fabs(points[i].value - points[i - 1].value), weight = length * length;
    const double t = (points[i].time + points[i - 1].time) / 2 - points.front().time, y = std::log(length);
    w += weight, wt += weight * t, wy += weight * y, wtt += weight * t * t, wty += weight * t * y;
    if (i == 1) first = length;
    last = length;
  }
  found.amplitude_ratio = std::pow(last / first, 2.0 / (found.swings - 1));
  found.damping = -2 * (w * wty - wt * wy) / (w * wtt - wt * wt);
  return found;
}

std::optional<double> energy_kept(double total, double expected, double level) {
  constexpr double kRoundOff = 1e-12;
  const double there = expected - level;
  if (!(there > kRoundOff * std::max(std::fabs(expected), std::fabs(level))) || !std::isfinite(total)) return {};
  return (total - level) / there;
}

}  // namespace brio

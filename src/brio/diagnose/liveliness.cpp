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

/// Half a period: the mean of the times from turning point to turning point that are close to their median. Where a
/// beat passes through nothing, the phase jumps, and the interval there says nothing about the frequency.
double usual_interval(const std::vector<TurningPoint>& points) {
  constexpr double kClose = 0.25;
  std::vector<double> intervals;
  for (size_t i = 1; i < points.size(); ++i) intervals.push_back(points[i].time - points[i - 1].time);
  std::nth_element(intervals.begin(), intervals.begin() + intervals.size() / 2, intervals.end());
  const double median = intervals[intervals.size() / 2];
  double sum = 0;
  int count = 0;
  for (double interval : intervals)
    if (std::fabs(interval - median) <= kClose * median) sum += interval, ++count;
  return sum / count;
}

struct Swing {
  double time, size;
};

/// Greatest less least value of the samples from `begin` to `end`, with tops and bottoms between samples.
double range_of(const TimeSeries& s, size_t begin, size_t end) {
  double least = s.value[begin], greatest = least;
  for (size_t i = begin; i < end; ++i) {
    double value = s.value[i];
    if (i > 0 && i + 1 < s.value.size() && (value - s.value[i - 1]) * (s.value[i + 1] - value) <= 0)
      value = vertex(s, i).value;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  return greatest - least;
}

/// One period after the other from `start` on, as long as there is a motion to speak of.
std::vector<Swing> swings_of(const Path& path, double start, double period) {
  constexpr double kRest = 1e-3;  // of the first swing: what is then left is not measured but rounded
  std::vector<Swing> swings;
  const double slack = 1e-6 * period;
  const auto first_from = [&](double t) {
    return std::lower_bound(path.time.begin(), path.time.end(), t - slack) - path.time.begin();
  };
  const TimeSeries axes[] = {path.along(0), path.along(1), path.along(2)};
  for (double t = start; t + period <= path.time.back() + slack; t += period) {
    const size_t begin = first_from(t), end = first_from(t + period);
    if (end <= begin) break;
    Vec3 box;
    for (int k = 0; k < 3; ++k) box[k] = range_of(axes[k], begin, end);
    if (!(box.norm() > (swings.empty() ? 0 : kRest * swings.front().size))) break;
    swings.push_back({t - start, box.norm()});
  }
  return swings;
}

/// Slope of the logarithm of the sizes. The fit weighs each swing by the square of its size: an error of the positions
/// is an error of the logarithm that grows as the swing gets smaller.
double logarithmic_slope(const std::vector<Swing>& swings) {
  double w = 0, wt = 0, wy = 0, wtt = 0, wty = 0;
  for (const auto& [t, size] : swings) {
    const double weight = size * size, y = std::log(size);
    w += weight, wt += weight * t, wy += weight * y, wtt += weight * t * t, wty += weight * t * y;
  }
  return (w * wty - wt * wy) / (w * wtt - wt * wt);
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

TimeSeries Path::along(int axis) const {
  TimeSeries series{time, {}};
  series.value.reserve(position.size());
  for (const Vec3& x : position) series.value.push_back(x[axis]);
  return series;
}

int Path::main_axis() const {
  if (position.empty()) return 0;
  Vec3 low = position.front(), high = low;
  for (const Vec3& x : position) low = low.cwiseMin(x), high = high.cwiseMax(x);
  int axis = 0;
  (high - low).maxCoeff(&axis);
  return axis;
}

std::optional<Oscillation> measure_oscillation(const Path& path) {
  const std::vector<TurningPoint> points = turning_points(path.along(path.main_axis()));
  if (points.size() < 3) return {};
  const double period = 2 * usual_interval(points);
  // A quarter of a period early, so that every top and bottom is well inside its swing.
  const std::vector<Swing> swings = swings_of(path, points.front().time - period / 4, period);
  if (swings.size() < 2) return {};
  Oscillation found;
  found.swings = static_cast<int>(swings.size());
  found.omega = 2 * M_PI / period;
  found.amplitude_ratio = std::pow(swings.back().size / swings.front().size, 1.0 / (found.swings - 1));
  found.damping = -2 * logarithmic_slope(swings);
  return found;
}

std::optional<double> energy_kept(double total, double expected, double level) {
  constexpr double kRoundOff = 1e-12;
  const double there = expected - level;
  if (!(there > kRoundOff * std::max(std::fabs(expected), std::fabs(level))) || !std::isfinite(total)) return {};
  return (total - level) / there;
}

}  // namespace brio

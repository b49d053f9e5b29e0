#pragma once
// How lively a motion stays: what is left of its swings and of its energy. docs/compare.md says what the numbers mean.

#include <optional>
#include <vector>

namespace brio {

/// A quantity against time, for example one coordinate of a vertex.
struct TimeSeries {
  std::vector<double> time;  ///< [s], increasing
  std::vector<double> value;
};

/// Where a motion turns round.
struct TurningPoint {
  double time = 0, value = 0;
};

/// The turning points of a series, alternating between tops and bottoms, each placed by the parabola through its three
/// samples. Wiggles below a thirtieth of the series' whole range are not counted. The first sample counts when the
/// motion starts there at rest; the last one never does.
std::vector<TurningPoint> turning_points(const TimeSeries& series);

/// The dominant oscillation of a series. A swing is the way from one turning point to the next, half a period long.
struct Oscillation {
  int swings = 0;
  double omega = 0;            ///< [rad/s]
  double amplitude_ratio = 0;  ///< length of a swing over that of the swing one period before, in the geometric mean
  double damping = 0;          ///< d of the fit exp(-d t / 2) to the lengths of the swings [1/s]
};

/// Nothing where there are fewer than two swings.
std::optional<Oscillation> measure_oscillation(const TimeSeries& series);

/// The share of the energy above `level` that is still there: (total - level) / (expected - level) [J]. Nothing where
/// no energy above the level was to be expected.
std::optional<double> energy_kept(double total, double expected, double level);

}  // namespace brio

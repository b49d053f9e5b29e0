#pragma once
// Measures how much of an oscillation and of its energy a run keeps. docs/compare.md explains the numbers.

#include "brio/core/archive.hpp"

#include <optional>
#include <vector>

namespace brio {

/// A quantity against time, for example one coordinate of a vertex.
struct TimeSeries {
  std::vector<double> time;  ///< [s], increasing
  std::vector<double> value;
};

/// A local extremum of a motion.
struct TurningPoint {
  double time = 0, value = 0;
};

/// The turning points of a series, alternating between tops and bottoms, each placed by the parabola through its three
/// samples. Wiggles below a thirtieth of the series' whole range are not counted. The first sample counts when the
/// motion starts there at rest; the last one never does.
std::vector<TurningPoint> turning_points(const TimeSeries& series);

/// Where a point is, against time.
struct Path {
  std::vector<double> time;    ///< [s], increasing
  std::vector<Vec3> position;  ///< [m]

  TimeSeries along(int axis) const;
  /// The axis along which the path is longest from end to end.
  int main_axis() const;
  void archive(Archive& archive) { archive(time, position); }
};

/// The dominant oscillation of a path. The size of a swing is the diagonal of the box that holds the path during one
/// period: a body of equal thickness sways in two directions at nearly the same frequency, and energy that
/// moves from one to the other is not lost.
struct Oscillation {
  int swings = 0;              ///< whole periods
  double omega = 0;            ///< [rad/s]
  double amplitude_ratio = 0;  ///< size of a swing over that of the one before, in the geometric mean
  double damping = 0;          ///< d of the fit exp(-d t / 2) to the sizes of the swings [1/s]
};

/// Nothing where there are fewer than two swings.
std::optional<Oscillation> measure_oscillation(const Path& path);

/// The share of the energy above `level` that is still there: (total - level) / (expected - level) [J]. Nothing where
/// no energy above the level was to be expected.
std::optional<double> energy_kept(double total, double expected, double level);

}  // namespace brio

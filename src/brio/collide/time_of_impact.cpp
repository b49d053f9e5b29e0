#include "brio/collide/time_of_impact.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

double time_of_impact(PairKind kind, const Corners& x, const Corners& way, double at_least, double kept) {
  // What both sides have in common brings them no nearer.
  const Vec3 common = 0.25 * (way[0] + way[1] + way[2] + way[3]);
  Corners at = x, own;
  for (int i = 0; i < 4; ++i) own[i] = way[i] - common;
  double first = 0, second = 0;
  for (int i = 0; i < 4; ++i) {
    double& longest = i < first_side(kind) ? first : second;
    longest = std::max(longest, own[i].norm());
  }
  const double speed = first + second;  // the most by which the distance can fall
  if (speed == 0 || speed < at_least - kept) return 1;  // what rests meets nothing, not even where it touches already
  double gap = closest_points(kind, at).distance() - kept;
  if (speed < gap) return 1;
  constexpr double kCautious = 0.9, kNear = 0.02;  // shares of the gap: in one advance, and where it ends
  constexpr int kMost = 500;
  const double enough = kNear * gap;
  double time = 0;
  for (int i = 0; i < kMost && gap > enough; ++i) {
    time += kCautious * gap / speed;
    if (time >= 1) return 1;
    for (int k = 0; k < 4; ++k) at[k] = x[k] + time * own[k];
    gap = closest_points(kind, at).distance() - kept;
  }
  // The last advance left a gap that is not negative but for round-off: step back by a hair.
  return std::max(0.0, time * (1 - 1e-9));
}

}  // namespace brio

#pragma once
// Where the surface of a solid crosses an edge of a lattice.

#include "brio/mesh/solids/signed_distance.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

constexpr double kCutTolerance = 1e-6;  // of an edge: the error in volume is far below that of flat triangles

/// A zero of the distance between two points, 0 … 1, by false position with the Illinois correction, kept from stalling
/// by bisection. Works for jumps as well. `along(t)` is the place, `size` that of a cell [m].
template <class Along>
double surface_crossing(const SignedDistance& body, const Along& along, double at_start, double at_end, double size) {
  double low = 0, high = 1;
  int kept = 0;
  for (int iteration = 0; iteration < 60 && high - low > kCutTolerance; ++iteration) {
    double t = iteration % 4 == 3 ? 0.5 * (low + high) : low + (high - low) * at_start / (at_start - at_end);
    t = std::clamp(t, low + 0.01 * (high - low), high - 0.01 * (high - low));
    const double value = body.value(along(t));
    if (std::fabs(value) < kCutTolerance * size) return t;
    if ((value < 0) == (at_start < 0)) {
      low = t, at_start = value;
      if (kept == 1) at_end *= 0.5;
      kept = 1;
    } else {
      high = t, at_end = value;
      if (kept == -1) at_start *= 0.5;
      kept = -1;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace brio

#pragma once
// One stiffness for all deformations that are expected: the slope of the line through rest that fits the stress on
// stretches from 1/2 to 3/2 best ([QN] eq. 11). The second derivative at rest cannot serve: it is zero for
// mu (s - 1)^4.

namespace brio {

/// stress(stretch), zero at 1; least squares by the midpoint rule [Pa].
template <class Stress>
double fitted_slope(const Stress& stress) {
  constexpr int kPoints = 100;
  double top = 0, bottom = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double x = (i + 0.5) / kPoints - 0.5;
    top += x * stress(1 + x);
    bottom += x * x;
  }
  return top / bottom;
}

}  // namespace brio

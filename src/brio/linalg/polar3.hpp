#pragma once
// The rotation of F = R S without singular values, eight matrices at a time. tr S is the largest root of a quartic in
// the invariants of F (Shuster and Oh 1981 for attitudes; Lin, Chitalu, Komura 2022 for elements), and R is its
// derivative with respect to F. Inverted elements need no care: R maximizes R : F among the rotations, so S has the
// negative eigenvalue where svd3 has it.

#include "brio/linalg/svd3.hpp"

namespace brio {

template <class T>
struct Polar3 {
  M3<T> F, R;
};

namespace detail {

/// The largest root x of x^4 - 2 a x^2 - 8 J x + a^2 - 4 c with a = |F|^2, c = |cof F|^2, J = det F: the sum of the
/// principal stretches. From above, Newton's method walks down to it without ever passing.
template <class T>
struct StretchSum {
  T x, slope;  ///< slope: a quarter of the quartic's at the root, 2 (s0 + s1) (s1 + s2) (s2 + s0)
  typename MaskOf<T>::type found;
};

template <class T>
BRIO_INLINE StretchSum<T> stretch_sum(const T& a, const T& c, const T& J) {
  constexpr int kMostSteps = 12;  // only roots that are nearly double take more
  // A step that leaves the quadratic convergence of a simple root below round-off. A lane that is there keeps its bits,
  // so that its result never depends on how long its neighbors take.
  constexpr double tolerance = 1e-9;
  const T rest = a * a - 4.0 * c;
  T x = sqrt(a + 2.0 * sqrt(3.0 * c));  // by Cauchy and Schwarz no less than the root
  auto active = x > 0;
  for (int step = 0; step < kMostSteps && any(active); ++step) {
    const T square = x * x;
    const T change = (x * (x * (square - 2.0 * a) - 8.0 * J) + rest) / (4.0 * (x * (square - a) - 2.0 * J));
    x = select(active, x - change, x);
    active = active & (abs(change) > tolerance * x);
  }
  const T slope = x * (x * x - a) - 2.0 * J;
  // Where two stretches almost cancel, the root is almost double and loses digits: at this bound 3 of 16. Infinities
  // and numbers that are none end here too.
  const typename MaskOf<T>::type simple = slope > 0.1 * (x * x * x), in_range = (x > 1e-60) & (x < 1e60);
  const typename MaskOf<T>::type found = simple & in_range & !active;
  return {x, slope, found};
}

}  // namespace detail

/// Lanes whose rotation is badly determined by the invariants take it from svd3.
template <class T>
Polar3<T> polar3(const M3<T>& F) {
  Polar3<T> f{F, cofactor(F)};
  const T a = squared_norm(F), c = squared_norm(f.R);
  const T J = F(0, 0) * f.R(0, 0) + F(0, 1) * f.R(0, 1) + F(0, 2) * f.R(0, 2);
  const detail::StretchSum<T> sum = detail::stretch_sum(a, c, J);
  const M3<T> FC = F * (transpose(F) * F);
  const T r = 1.0 / select(sum.found, sum.slope, constant<T>(1)), of_F = (sum.x * sum.x + a) * r, of_FC = 2.0 * r,
          of_cofactor = 2.0 * (sum.x * r);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f.R(i, j) = of_F * F(i, j) + of_cofactor * f.R(i, j) - of_FC * FC(i, j);
  if (any(!sum.found)) {
    const Svd3<T> exact = svd3(F);
    const M3<T> R = exact.U * transpose(exact.V);
    for (int k = 0; k < 9; ++k) f.R(k / 3, k % 3) = select(sum.found, f.R(k / 3, k % 3), R(k / 3, k % 3));
  }
  return f;
}

}  // namespace brio

#pragma once
// The Jacobi rotation shared by the 3x3 singular value and eigenvalue decompositions.

#include "brio/core/small.hpp"

namespace brio::detail {

constexpr int kMostSweeps = 16;   ///< 3x3 Jacobi needs three to five; the bound only ends the loop for NaN
constexpr double kZero = 1e-305;  ///< matrices without a larger entry count as zero: 1/entry must be finite

template <class T>
struct PlaneRotation {
  T c, s;

  /// (x, y) becomes (c x + s y, c y - s x).
  BRIO_INLINE void turn(T& x, T& y) const {
    const T old = x;
    x = c * old + s * y;
    y = c * y - s * old;
  }
  BRIO_INLINE void turn(V3<T>& x, V3<T>& y) const {
    for (int k = 0; k < 3; ++k) turn(x[k], y[k]);
  }
};

/// Diagonalizes the symmetric [a c; c b], the larger eigenvalue first; the identity where not active, so that a lane's
/// result never depends on how long its neighbors take. tan of the doubled angle is 2c/(a-b); both half-angle formulas
/// below add numbers of equal sign only, and (x, y) has the squared length 2 h (h + |a-b|).
template <class T>
BRIO_INLINE PlaneRotation<T> diagonalizing_rotation(const T& a, const T& b, const T& c,
                                                    const typename MaskOf<T>::type& active) {
  const T d = a - b, two_c = c + c, h = sqrt(d * d + two_c * two_c), far = h + abs(d);
  const auto in_order = d >= 0;
  const T x = select(in_order, far, abs(two_c));
  const T y = select(in_order, two_c, select(c < 0, -far, far));
  const T n2 = 2.0 * (h * far);
  const auto turns = active & (n2 > 1e-280);  // below, rounding of tiny numbers would spoil c^2 + s^2 = 1
  const T r = 1.0 / sqrt(select(turns, n2, constant<T>(1)));
  return {select(turns, x * r, constant<T>(1)), select(turns, y * r, constant<T>(0))};
}

}  // namespace brio::detail

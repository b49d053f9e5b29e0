#pragma once
// Derivatives of J = s0 s1 s2, and through them of any function h(J), in principal stretches; and those of laws in the
// invariants I_C and J.

#include "brio/core/small.hpp"

namespace brio {

/// Of a law psi(I_C, J), whose stress is P = a F + b cof F: a = 2 dpsi/dI_C, b = dpsi/dJ, and their own slopes.
template <class T>
struct InvariantSlopes {
  T a, da;  ///< da = 2 da/dI_C
  T b, db;  ///< db = db/dJ
};

/// dJ/ds_i, the product of the two other stretches.
template <class T>
BRIO_INLINE V3<T> volume_slopes(const V3<T>& s) {
  return {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
}

/// A += d2 h(J)/(ds_i ds_j), given h'(J) and h''(J).
template <class T>
BRIO_INLINE void add_volume_curvature(const V3<T>& s, const T& dh, const T& d2h, M3<T>& A) {
  const V3<T> v = volume_slopes(s);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) A(i, j) += d2h * (v[i] * v[j]);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    A(i, j) += dh * s[k];
    A(j, i) += dh * s[k];
  }
}

}  // namespace brio

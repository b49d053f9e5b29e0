#pragma once
// Soft tissue that stiffens exponentially (Demiray 1972), with a volume term that stays finite inside out:
//   psi = mu/(2b) (exp(b (I - 3)) - 1) - mu (J - 1) + k/2 (J - 1)^2,   I = s0^2 + s1^2 + s2^2,   J = s0 s1 s2.
// Nothing pulls at rest, and small strains see mu and lambda = k + (2b - 1) mu.

#include <brio/brio.hpp>

namespace brio {

struct Tissue {
  double mu;                          ///< [Pa]
  double k;                           ///< [Pa]
  double b;                           ///< how fast it stiffens
  static constexpr bool even = true;  ///< two stretches may change sign together: psi knows I and J alone

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    const T J = s[0] * s[1] * s[2], Q = b * (dot(s, s) - 3.0), top = limit(Q), d = Q - top;
    return mu / (2 * b) * (exp(top) * (1.0 + d + 0.5 * (d * d)) - 1.0) - mu * (J - 1.0) +
           k / 2 * ((J - 1.0) * (J - 1.0));
  }

  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    const T Q = b * (dot(s, s) - 3.0), top = limit(Q), a = mu * exp(top) * (1.0 + (Q - top));
    const T slope = k * (s[0] * s[1] * s[2] - 1.0) - mu;
    const V3<T> v = volume_slopes(s);
    return {a * s[0] + slope * v[0], a * s[1] + slope * v[1], a * s[2] + slope * v[2]};
  }

  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    const T Q = b * (dot(s, s) - 3.0), top = limit(Q), e = mu * exp(top), a = e * (1.0 + (Q - top));
    M3<T> A;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j) = 2 * b * e * (s[i] * s[j]);
      A(i, i) += a;
    }
    add_volume_curvature<T>(s, k * (s[0] * s[1] * s[2] - 1.0) - mu, constant<T>(k), A);
    return A;
  }

 private:
  /// Beyond an exponent of 20 the exponential goes on as its Taylor polynomial, so that no stretch overflows.
  template <class T>
  BRIO_INLINE static T limit(const T& Q) {
    return min(Q, constant<T>(20));
  }
};

/// The row of the table of laws.
MaterialEntry tissue_entry();

}  // namespace brio

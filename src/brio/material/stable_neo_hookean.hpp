#pragma once
// Stable neo-Hookean flesh (Smith, de Goes, Kim 2018), their full form with the regularized origin barrier, eq. (14):
//   psi = mu/2 (I_C - 3) + lambda/2 (J - alpha)^2 - mu/2 log(I_C + 1),  alpha = 1 + mu/lambda - mu/(4 lambda).
// Smooth for every F, no stress at rest, and F = 0 is no energy minimum. With their section 3.4 constants
// mu = 4/3 mu_Lame, lambda = lambda_Lame + 5/6 mu_Lame, small strains see exactly the Lame constants asked for; this
// lambda is positive for every admissible Poisson's ratio. A constant makes psi zero at rest.

#include "brio/material/entry.hpp"
#include "brio/material/lame.hpp"
#include "brio/material/volume_terms.hpp"

#include <cmath>

namespace brio {

class StableNeoHookean {
 public:
  static constexpr bool even = true;

  explicit StableNeoHookean(const Lame& k)
      : mu(4 * k.mu / 3),
        lambda(k.lambda + 5 * k.mu / 6),
        alpha(1 + 0.75 * mu / lambda),
        rest(mu / 2 * std::log(4.0) - lambda / 2 * (1 - alpha) * (1 - alpha)) {}

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    return energy(dot(s, s), s[0] * s[1] * s[2]);
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    const T a = mu - mu / (dot(s, s) + 1.0), dh = lambda * (s[0] * s[1] * s[2] - alpha);
    const V3<T> v = volume_slopes(s);
    return {a * s[0] + dh * v[0], a * s[1] + dh * v[1], a * s[2] + dh * v[2]};
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    const T r = 1.0 / (dot(s, s) + 1.0), a = mu - mu * r, b = 2 * mu * (r * r);
    M3<T> A;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j) = b * (s[i] * s[j]);
      A(i, i) += a;
    }
    add_volume_curvature<T>(s, lambda * (s[0] * s[1] * s[2] - alpha), constant<T>(lambda), A);
    return A;
  }

  template <class T>
  BRIO_INLINE T psi(const M3<T>& F) const {
    return energy(squared_norm(F), determinant(F));
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const M3<T>& F) const {
    const T a = mu - mu / (squared_norm(F) + 1.0), dh = lambda * (determinant(F) - alpha);
    M3<T> P = cofactor(F);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) P(i, j) = a * F(i, j) + dh * P(i, j);
    return P;
  }
  template <class T>
  BRIO_INLINE InvariantSlopes<T> slopes(const T& I_C, const T& J) const {
    const T r = 1.0 / (I_C + 1.0);
    return {mu - mu * r, 2 * mu * (r * r), lambda * (J - alpha), constant<T>(lambda)};
  }

 private:
  template <class T>
  BRIO_INLINE T energy(const T& I_C, const T& J) const {
    return mu / 2 * (I_C - 3.0) + lambda / 2 * ((J - alpha) * (J - alpha)) - mu / 2 * log(I_C + 1.0) + rest;
  }

  double mu, lambda;  ///< the paper's, not the Lame constants [Pa]
  double alpha;
  double rest;  ///< [Pa]
};

MaterialEntry stable_neo_hookean_entry();

}  // namespace brio

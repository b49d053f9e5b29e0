#pragma once
// Mooney-Rivlin with a volumetric term that is a polynomial in J,
//   psi = mu10 (I_C - 3) + mu01 (II_C - 3) - 2 (mu10 + 2 mu01) (J - 1) + k/2 (J - 1)^2,
// I_C = sum s_i^2, II_C = sum s_i^2 s_j^2. The usual isochoric invariants divide by powers of J and the usual log J
// ends at J = 0; here, as Smith, de Goes, Kim 2018 did for the neo-Hookean law, the linear term alone balances the
// stress at rest, so psi is a polynomial in F, finite and smooth for inverted elements, which are pushed back by k.
// Small strains see mu = 2 (mu10 + mu01) and lambda = k - 2 mu10.

#include "brio/material/entry.hpp"
#include "brio/material/volume_terms.hpp"

namespace brio {

struct MooneyRivlin {
  double mu10, mu01;  ///< [Pa]
  double k;           ///< [Pa]
  static constexpr bool even = true;

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    const T J = s[0] * s[1] * s[2];
    const V3<T> v = volume_slopes(s);
    return mu10 * (dot(s, s) - 3.0) + mu01 * (dot(v, v) - 3.0) + h(J);
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    const T I = dot(s, s), slope = dh(s[0] * s[1] * s[2]);
    const V3<T> v = volume_slopes(s);
    V3<T> p;
    for (int i = 0; i < 3; ++i) p[i] = (2 * mu10 + 2 * mu01 * (I - s[i] * s[i])) * s[i] + slope * v[i];
    return p;
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    const T I = dot(s, s);
    M3<T> A;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j) = 4 * mu01 * (s[i] * s[j]);
      A(i, i) = 2 * mu10 + 2 * mu01 * (I - s[i] * s[i]);
    }
    add_volume_curvature<T>(s, dh(s[0] * s[1] * s[2]), constant<T>(k), A);
    return A;
  }

  template <class T>
  BRIO_INLINE T psi(const M3<T>& F) const {
    return mu10 * (squared_norm(F) - 3.0) + mu01 * (squared_norm(cofactor(F)) - 3.0) + h(determinant(F));
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const M3<T>& F) const {
    const T a = 2 * mu10 + 2 * mu01 * squared_norm(F), slope = dh(determinant(F));
    const M3<T> FC = F * (transpose(F) * F);
    M3<T> P = cofactor(F);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) P(i, j) = a * F(i, j) - 2 * mu01 * FC(i, j) + slope * P(i, j);
    return P;
  }

 private:
  template <class T>
  BRIO_INLINE T h(const T& J) const {
    return (J - 1.0) * (k / 2 * (J - 1.0) - 2 * (mu10 + 2 * mu01));
  }
  template <class T>
  BRIO_INLINE T dh(const T& J) const {
    return k * (J - 1.0) - 2 * (mu10 + 2 * mu01);
  }
};

MaterialEntry mooney_rivlin_entry();

}  // namespace brio

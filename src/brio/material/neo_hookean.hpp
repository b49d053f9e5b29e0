#pragma once
// Neo-Hookean, mu/2 (I_C - 3) - mu log J + lambda/2 log^2 J (Sifakis and Barbic 2012, section 3.5). Below J = j_min the
// logarithm goes on as its second-order Taylor polynomial: energy, stress and stiffness stay continuous and finite, and
// the energy keeps falling as J grows, so inverted elements turn back.

#include "brio/material/entry.hpp"
#include "brio/material/lame.hpp"
#include "brio/material/volume_terms.hpp"

#include <cmath>

namespace brio {

struct NeoHookean {
  Lame k;
  double j_min;  ///< where the extension begins, in (0, 1)
  static constexpr bool even = true;

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    return energy(dot(s, s), s[0] * s[1] * s[2]);
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    const T J = s[0] * s[1] * s[2], dh = (k.lambda * L(J) - k.mu) * dL(J);
    const V3<T> v = volume_slopes(s);
    return {k.mu * s[0] + dh * v[0], k.mu * s[1] + dh * v[1], k.mu * s[2] + dh * v[2]};
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    const T J = s[0] * s[1] * s[2], l = k.lambda * L(J) - k.mu, dl = dL(J);
    const T m = constant<T>(k.mu), o = constant<T>(0);
    M3<T> A{{{m, o, o}, {o, m, o}, {o, o, m}}};
    add_volume_curvature<T>(s, l * dl, l * d2L(J) + k.lambda * (dl * dl), A);
    return A;
  }

  template <class T>
  BRIO_INLINE T psi(const M3<T>& F) const {
    return energy(squared_norm(F), determinant(F));
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const M3<T>& F) const {
    const T J = determinant(F), dh = (k.lambda * L(J) - k.mu) * dL(J);
    M3<T> P = cofactor(F);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) P(i, j) = k.mu * F(i, j) + dh * P(i, j);
    return P;
  }
  template <class T>
  BRIO_INLINE InvariantSlopes<T> slopes(const T&, const T& J) const {
    const T l = k.lambda * L(J) - k.mu, dl = dL(J);
    return {constant<T>(k.mu), constant<T>(0), l * dl, l * d2L(J) + k.lambda * (dl * dl)};
  }

 private:
  template <class T>
  BRIO_INLINE T energy(const T& I_C, const T& J) const {
    const T l = L(J);
    return k.mu / 2 * (I_C - 3.0) - k.mu * l + k.lambda / 2 * (l * l);
  }
  /// log J, its extension, and their derivatives; with Jc = max(J, j_min) and x = (J - Jc)/Jc one formula does for
  /// both.
  template <class T>
  BRIO_INLINE T L(const T& J) const {
    const T Jc = max(J, constant<T>(j_min)), x = (J - Jc) / Jc;
    return log(Jc) + x - 0.5 * (x * x);
  }
  template <class T>
  BRIO_INLINE T dL(const T& J) const {
    const T Jc = max(J, constant<T>(j_min));
    return (1.0 - (J - Jc) / Jc) / Jc;
  }
  template <class T>
  BRIO_INLINE T d2L(const T& J) const {
    const T Jc = max(J, constant<T>(j_min));
    return -1.0 / (Jc * Jc);
  }
};

MaterialEntry neo_hookean_entry();

}  // namespace brio

#pragma once
// Co-rotated linear elasticity, mu |S - I|^2 + lambda/2 tr(S - I)^2 with F = R S (Sifakis and Barbic 2012,
// section 3.4).

#include "brio/linalg/polar3.hpp"
#include "brio/material/entry.hpp"
#include "brio/material/lame.hpp"

namespace brio {

struct Corotated {
  Lame k;

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    const T x = s[0] - 1.0, y = s[1] - 1.0, z = s[2] - 1.0, trace = x + y + z;
    return k.mu * (x * x + y * y + z * z) + k.lambda / 2 * (trace * trace);
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    const T pressure = k.lambda * (s[0] + s[1] + s[2] - 3.0);
    return {2 * k.mu * (s[0] - 1.0) + pressure, 2 * k.mu * (s[1] - 1.0) + pressure, 2 * k.mu * (s[2] - 1.0) + pressure};
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>&) const {
    const T a = constant<T>(2 * k.mu + k.lambda), b = constant<T>(k.lambda);
    return {{{a, b, b}, {b, a, b}, {b, b, a}}};
  }

  template <class T>
  BRIO_INLINE T psi(const Polar3<T>& f) const {
    const M3<T> D = f.F - f.R;
    const T trace = contract(f.R, D);
    return k.mu * squared_norm(D) + k.lambda / 2 * (trace * trace);
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const Polar3<T>& f) const {
    M3<T> P = f.F - f.R;
    const T pressure = k.lambda * contract(f.R, P);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) P(i, j) = 2 * k.mu * P(i, j) + pressure * f.R(i, j);
    return P;
  }
};

MaterialEntry corotated_entry();

}  // namespace brio

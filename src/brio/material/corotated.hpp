#pragma once
// Co-rotated linear elasticity, mu |S - I|^2 + lambda/2 tr(S - I)^2 with F = R S (Sifakis and Barbic 2012,
// section 3.4).

#include "brio/core/small.hpp"
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
};

MaterialEntry corotated_entry();

}  // namespace brio

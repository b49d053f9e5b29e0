#pragma once
// St. Venant-Kirchhoff, mu |E|^2 + lambda/2 tr(E)^2 with the Green strain E = (F^T F - I)/2 (Sifakis and Barbic 2012,
// section 3.3). It does not depend on det F: it softens under compression and does not resist inversion.

#include "brio/core/small.hpp"
#include "brio/material/entry.hpp"
#include "brio/material/lame.hpp"

namespace brio {

struct Stvk {
  Lame k;
  static constexpr bool even = true;

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    const V3<T> e = green(s);
    const T trace = e[0] + e[1] + e[2];
    return k.mu * dot(e, e) + k.lambda / 2 * (trace * trace);
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    const V3<T> e = green(s);
    const T pressure = k.lambda * (e[0] + e[1] + e[2]);
    V3<T> p;
    for (int i = 0; i < 3; ++i) p[i] = s[i] * (2 * k.mu * e[i] + pressure);
    return p;
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    const V3<T> e = green(s);
    const T pressure = k.lambda * (e[0] + e[1] + e[2]);
    M3<T> A;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j) = k.lambda * (s[i] * s[j]);
      A(i, i) = (2 * k.mu + k.lambda) * (s[i] * s[i]) + 2 * k.mu * e[i] + pressure;
    }
    return A;
  }

  template <class T>
  BRIO_INLINE T psi(const M3<T>& F) const {
    const M3<T> E = green(F);
    const T trace = E(0, 0) + E(1, 1) + E(2, 2);
    return k.mu * squared_norm(E) + k.lambda / 2 * (trace * trace);
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const M3<T>& F) const {
    M3<T> S = green(F);
    const T pressure = k.lambda * (S(0, 0) + S(1, 1) + S(2, 2));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) S(i, j) = 2 * k.mu * S(i, j);
      S(i, i) += pressure;
    }
    return F * S;
  }

 private:
  template <class T>
  BRIO_INLINE static V3<T> green(const V3<T>& s) {
    return {0.5 * (s[0] * s[0] - 1.0), 0.5 * (s[1] * s[1] - 1.0), 0.5 * (s[2] * s[2] - 1.0)};
  }
  template <class T>
  BRIO_INLINE static M3<T> green(const M3<T>& F) {
    M3<T> E = transpose(F) * F;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) E(i, j) = 0.5 * E(i, j);
      E(i, i) -= 0.5;
    }
    return E;
  }
};

MaterialEntry stvk_entry();

}  // namespace brio

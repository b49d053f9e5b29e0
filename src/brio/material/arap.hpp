#pragma once
// As-rigid-as-possible energy, mu |F - R|^2 with R the rotation of F: corotated elasticity with lambda = 0
// (Smith, de Goes, Kim 2019, "Analytic Eigensystems for Isotropic Distortion Energies", with mu for their mu/2).

#include "brio/linalg/polar3.hpp"
#include "brio/material/entry.hpp"

namespace brio {

struct Arap {
  double mu;  ///< [Pa]

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    const T x = s[0] - 1.0, y = s[1] - 1.0, z = s[2] - 1.0;
    return mu * (x * x + y * y + z * z);
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    return {2 * mu * (s[0] - 1.0), 2 * mu * (s[1] - 1.0), 2 * mu * (s[2] - 1.0)};
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>&) const {
    const T k = constant<T>(2 * mu), o = constant<T>(0);
    return {{{k, o, o}, {o, k, o}, {o, o, k}}};
  }

  template <class T>
  BRIO_INLINE T psi(const Polar3<T>& f) const {
    return mu * squared_norm(f.F - f.R);
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const Polar3<T>& f) const {
    return 2 * mu * (f.F - f.R);
  }
};

MaterialEntry arap_entry();

}  // namespace brio

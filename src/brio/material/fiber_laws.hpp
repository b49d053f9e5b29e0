#pragma once
// Energies of the stretch l = |F d| along a fiber. All three have psi''(1) = kappa, so that they differ only far from
// rest. A law answers psi, psi'/l (which is what the stress needs, and stays finite at l = 0) and psi''.

#include "brio/core/pack.hpp"
#include "brio/material/entry.hpp"

namespace brio {

/// kappa/2 (l - 1)^2 ([QN] section 4.4).
struct QuadraticFiber {
  double kappa;  ///< [Pa]

  template <class T>
  BRIO_INLINE T psi(const T& l) const {
    return kappa / 2 * ((l - 1.0) * (l - 1.0));
  }
  template <class T>
  BRIO_INLINE T dpsi_over_l(const T& l) const {
    return kappa * (l - 1.0) / max(l, constant<T>(1e-4));  // a fiber shrunk to a point has no direction to push in
  }
  template <class T>
  BRIO_INLINE T d2psi(const T&) const {
    return constant<T>(kappa);
  }
};

/// Anisotropic St. Venant-Kirchhoff, mu/2 (I_5 - 1)^2 with I_5 = l^2 (Kim, de Goes, Iben 2019, used by [CONJAC]);
/// mu = kappa/4.
struct StvkFiber {
  double kappa;  ///< [Pa]

  template <class T>
  BRIO_INLINE T psi(const T& l) const {
    const T x = l * l - 1.0;
    return kappa / 8 * (x * x);
  }
  template <class T>
  BRIO_INLINE T dpsi_over_l(const T& l) const {
    return kappa / 2 * (l * l - 1.0);
  }
  template <class T>
  BRIO_INLINE T d2psi(const T& l) const {
    return kappa / 2 * (3.0 * (l * l) - 1.0);
  }
};

/// Fung's exponential, kappa/(8 b) (exp(b (I_5 - 1)^2) - 1) (Fung 1993; [CONJAC] MUSCLE). Beyond an exponent of 20 the
/// exponential goes on as its second-order Taylor polynomial, so that no stretch overflows.
struct FungFiber {
  double kappa;  ///< [Pa]
  double b;      ///< how fast it stiffens

  template <class T>
  BRIO_INLINE T psi(const T& l) const {
    const T x = l * l - 1.0, Q = b * (x * x), top = top_of(Q), d = Q - top;
    return kappa / (8 * b) * (exp(top) * (1.0 + d + 0.5 * (d * d)) - 1.0);
  }
  template <class T>
  BRIO_INLINE T dpsi_over_l(const T& l) const {
    const T x = l * l - 1.0, Q = b * (x * x), top = top_of(Q);
    return kappa / 2 * x * exp(top) * (1.0 + (Q - top));
  }
  template <class T>
  BRIO_INLINE T d2psi(const T& l) const {
    const T x = l * l - 1.0, Q = b * (x * x), top = top_of(Q), e = exp(top), e1 = e * (1.0 + (Q - top));
    return kappa / 2 * ((x + 2.0 * (l * l)) * e1 + 4.0 * (l * l) * Q * e);
  }

 private:
  template <class T>
  BRIO_INLINE static T top_of(const T& Q) {
    return min(Q, constant<T>(20));
  }
};

MaterialEntry quadratic_fiber_entry();
MaterialEntry stvk_fiber_entry();
MaterialEntry fung_fiber_entry();

}  // namespace brio

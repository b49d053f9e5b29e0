#pragma once
// Energies of the Valanis-Landel form ([QN] eq. 9, in its letters; Xu, Sin, Zhu, Barbic 2015 write f, g, h),
//   psi = a(s0) + a(s1) + a(s2) + b(s0 s1) + b(s1 s2) + b(s2 s0) + c(s0 s1 s2),
// for any kind of curve that answers energy, stress (its first derivative) and slope (its second). Curves that also do
// so for a matrix need no singular values: with F = R S the sums are traces of a(S) and b(cof S).

#include "brio/linalg/polar3.hpp"
#include "brio/linalg/symmetric3.hpp"
#include "brio/material/entry.hpp"
#include "brio/material/volume_terms.hpp"

namespace brio {

/// Curves that take a matrix for their argument (Curve::of_matrices).
template <class C>
concept MatrixCurve = requires {
  requires C::of_matrices;
};

template <class Curve>
struct ValanisLandel {
  Curve a, b, c;

  template <class T>
  BRIO_INLINE T psi(const V3<T>& s) const {
    T sum = a.energy(s[0]) + a.energy(s[1]) + a.energy(s[2]);
    if (!b.zero()) {
      const V3<T> v = volume_slopes(s);
      sum += b.energy(v[0]) + b.energy(v[1]) + b.energy(v[2]);
    }
    if (!c.zero()) sum += c.energy(T(s[0] * s[1] * s[2]));
    return sum;
  }
  template <class T>
  BRIO_INLINE V3<T> dpsi(const V3<T>& s) const {
    V3<T> p{a.stress(s[0]), a.stress(s[1]), a.stress(s[2])};
    const V3<T> v = volume_slopes(s);
    if (!b.zero()) {
      const V3<T> t{b.stress(v[0]), b.stress(v[1]), b.stress(v[2])};
      for (int i = 0; i < 3; ++i) p[i] += t[(i + 1) % 3] * s[(i + 2) % 3] + t[(i + 2) % 3] * s[(i + 1) % 3];
    }
    if (!c.zero()) {
      const T t = c.stress(T(s[0] * s[1] * s[2]));
      for (int i = 0; i < 3; ++i) p[i] += t * v[i];
    }
    return p;
  }
  template <class T>
  BRIO_INLINE M3<T> d2psi(const V3<T>& s) const {
    const T o = constant<T>(0);
    M3<T> A{{{a.slope(s[0]), o, o}, {o, a.slope(s[1]), o}, {o, o, a.slope(s[2])}}};
    if (!b.zero()) {
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const T x = s[i] * s[j], t = b.slope(x);
        A(i, i) += t * (s[j] * s[j]);
        A(j, j) += t * (s[i] * s[i]);
        A(i, j) = A(j, i) = t * x + b.stress(x);
      }
    }
    if (!c.zero()) {
      const T J = s[0] * s[1] * s[2];
      add_volume_curvature<T>(s, c.stress(J), c.slope(J), A);
    }
    return A;
  }

  template <class T>
  BRIO_INLINE T psi(const Polar3<T>& f) const requires MatrixCurve<Curve> {
    const Sym3<T> S = stretch(f);
    T sum = trace(a.energy(S));
    if (!b.zero()) sum += trace(b.energy(cofactor(S)));
    if (!c.zero()) sum += c.energy(determinant(f.F));
    return sum;
  }
  template <class T>
  BRIO_INLINE M3<T> PK1(const Polar3<T>& f) const requires MatrixCurve<Curve> {
    const Sym3<T> S = stretch(f);
    Sym3<T> p = a.stress(S);
    if (!b.zero()) {
      const Sym3<T> t = b.stress(cofactor(S)), tS = t * S;
      const T trace_t = trace(t), trace_S = trace(S);
      p = (trace_t * trace_S - trace(tS)) + p + (-trace_t) * S + (-trace_S) * t + 2.0 * tS;
    }
    if (!c.zero()) p = p + c.stress(determinant(f.F)) * cofactor(S);
    return f.R * p;
  }

 private:
  /// S = R^T F
  template <class T>
  BRIO_INLINE static Sym3<T> stretch(const Polar3<T>& f) {
    const auto entry = [&](int i, int j) {
      return f.R(0, i) * f.F(0, j) + f.R(1, i) * f.F(1, j) + f.R(2, i) * f.F(2, j);
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 2), entry(2, 0), entry(0, 1)};
  }
};

MaterialEntry valanis_landel_polynomial_entry();
MaterialEntry valanis_landel_spline_entry();

}  // namespace brio

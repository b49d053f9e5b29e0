#pragma once
// A number type for commuting symmetric 3x3 matrices: a polynomial written for one stretch can be evaluated for the
// matrix S of F = R S, without an eigenvalue decomposition.

#include "brio/core/small.hpp"

namespace brio {

template <class T>
struct Sym3 {
  T xx, yy, zz, yz, zx, xy;
};

template <class T>
BRIO_INLINE Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.yz + b.yz, a.zx + b.zx, a.xy + b.xy};
}
/// A scalar stands for that multiple of the identity.
template <class T, class Number>
BRIO_INLINE Sym3<T> operator+(const Number& a, const Sym3<T>& b) {
  return {a + b.xx, a + b.yy, a + b.zz, b.yz, b.zx, b.xy};
}
template <class T>
BRIO_INLINE Sym3<T> operator-(const Sym3<T>& a, double b) {
  return {a.xx - b, a.yy - b, a.zz - b, a.yz, a.zx, a.xy};
}
template <class T, class Number>
BRIO_INLINE Sym3<T> operator*(const Number& a, const Sym3<T>& b) {
  return {a * b.xx, a * b.yy, a * b.zz, a * b.yz, a * b.zx, a * b.xy};
}
/// Of matrices with the same eigenvectors: the product is symmetric again.
template <class T>
BRIO_INLINE Sym3<T> operator*(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx * b.xx + a.xy * b.xy + a.zx * b.zx, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
          a.zx * b.zx + a.yz * b.yz + a.zz * b.zz, a.xy * b.zx + a.yy * b.yz + a.yz * b.zz,
          a.xx * b.zx + a.xy * b.yz + a.zx * b.zz, a.xx * b.xy + a.xy * b.yy + a.zx * b.yz};
}

template <class T>
BRIO_INLINE T trace(const Sym3<T>& a) {
  return a.xx + a.yy + a.zz;
}
/// Its eigenvalues are the products of two eigenvalues.
template <class T>
BRIO_INLINE Sym3<T> cofactor(const Sym3<T>& a) {
  return {a.yy * a.zz - a.yz * a.yz, a.zz * a.xx - a.zx * a.zx, a.xx * a.yy - a.xy * a.xy,
          a.zx * a.xy - a.xx * a.yz, a.xy * a.yz - a.yy * a.zx, a.yz * a.zx - a.zz * a.xy};
}
template <class T>
BRIO_INLINE M3<T> operator*(const M3<T>& A, const Sym3<T>& b) {
  return A * M3<T>{{{b.xx, b.xy, b.zx}, {b.xy, b.yy, b.yz}, {b.zx, b.yz, b.zz}}};
}

template <>
BRIO_INLINE Sym3<double> constant<Sym3<double>>(double a) {
  return {a, a, a, 0, 0, 0};
}
template <>
BRIO_INLINE Sym3<Pack> constant<Sym3<Pack>>(double a) {
  return {splat(a), splat(a), splat(a), Pack{}, Pack{}, Pack{}};
}

}  // namespace brio

#pragma once
// Singular values of 3x3 matrices, eight matrices at a time: one-sided Jacobi (Hestenes 1958) without branches. The
// columns of F are rotated until they are orthogonal; since every step is a rotation, U and V are too, and the sign of
// det F ends up in the smallest singular value, which is what inverted elements need (Irving, Teran, Fedkiw 2004).

#include "brio/linalg/jacobi.hpp"

namespace brio {

/// F = U diag(s) V^T, det U = det V = 1, s0 >= s1 >= |s2| up to round-off, s2 with the sign of det F.
template <class T>
struct Svd3 {
  M3<T> U;
  V3<T> s;
  M3<T> V;
};

namespace detail {

/// A unit vector across the unit vector u.
template <class T>
BRIO_INLINE V3<T> any_perpendicular(const V3<T>& u) {
  const auto from_xy = abs(u[0]) > abs(u[2]);
  const T zero = constant<T>(0);
  const V3<T> w{select(from_xy, -u[1], zero), select(from_xy, u[0], -u[2]), select(from_xy, zero, u[1])};
  const T r = 1.0 / sqrt(dot(w, w));
  return {w[0] * r, w[1] * r, w[2] * r};
}

}  // namespace detail

template <class T>
Svd3<T> svd3(const M3<T>& F) {
  T scale = abs(F(0, 0));
  for (int k = 1; k < 9; ++k) scale = max(scale, abs(F(k / 3, k % 3)));
  scale = select(scale > detail::kZero, scale, constant<T>(1));

  // b: columns of F V / scale; v: columns of V.
  const T shrink = 1.0 / scale, zero = constant<T>(0), one = constant<T>(1);
  V3<T> b[3], v[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  for (int j = 0; j < 3; ++j) b[j] = {F(0, j) * shrink, F(1, j) * shrink, F(2, j) * shrink};

  const auto orthogonalize = [&](int i, int j, const T& c, const typename MaskOf<T>::type& active) {
    const auto r = detail::diagonalizing_rotation<T>(dot(b[i], b[i]), dot(b[j], b[j]), c, active);
    r.turn(b[i], b[j]);
    r.turn(v[i], v[j]);
    return r;
  };
  // After a sweep b0.b1 and b0.b2 are what the rotation of (0, 2) left of b1.b2, times its tangent: so the sweep that
  // converges knows it, and no further one is needed to find out.
  constexpr double tolerance = 1e-15;
  auto active = scale > 0;
  for (int sweep = 0; sweep < detail::kMostSweeps && any(active); ++sweep) {
    orthogonalize(0, 1, dot(b[0], b[1]), active);
    const auto r = orthogonalize(0, 2, dot(b[0], b[2]), active);
    const T c = dot(b[1], b[2]);
    orthogonalize(1, 2, c, active);
    active = active & (abs(r.s * c) >= tolerance * r.c);
  }

  // U from the columns, longest first; directions that a singular F leaves undetermined are chosen arbitrarily.
  const T n0 = dot(b[0], b[0]);
  const auto has0 = n0 > 0;
  const T r0 = 1.0 / sqrt(select(has0, n0, one));
  const V3<T> u0{select(has0, b[0][0] * r0, one), b[0][1] * r0, b[0][2] * r0};
  const T along = dot(b[1], u0);
  const V3<T> w{b[1][0] - along * u0[0], b[1][1] - along * u0[1], b[1][2] - along * u0[2]};
  V3<T> u2 = cross(u0, w);
  const T n2 = dot(u2, u2);
  // Where b1 lies mostly along b0, it is round-off that the rotations have left, as in matrices of rank one: what is
  // across has no digit that is right. (The columns have been made orthogonal to what the length of b0 allows.)
  constexpr double kAcross = 0.01;  // square of the least share of b1 that must be across
  const auto has2 = (n2 > 1e-200) & (n2 > kAcross * dot(b[1], b[1]));
  const T r2 = 1.0 / sqrt(select(has2, n2, one));
  const V3<T> other = detail::any_perpendicular(u0);
  const T side = select(dot(cross(other, u0), b[1]) < zero, constant<T>(-1), one);  // on which s1 is not negative
  for (int k = 0; k < 3; ++k) u2[k] = select(has2, u2[k] * r2, side * other[k]);
  const V3<T> u1 = cross(u2, u0);

  Svd3<T> f;
  for (int k = 0; k < 3; ++k) {
    f.U(k, 0) = u0[k], f.U(k, 1) = u1[k], f.U(k, 2) = u2[k];
    f.V(k, 0) = v[0][k], f.V(k, 1) = v[1][k], f.V(k, 2) = v[2][k];
  }
  f.s = {dot(u0, b[0]) * scale, dot(u1, b[1]) * scale, dot(u2, b[2]) * scale};
  return f;
}

}  // namespace brio

#pragma once
// Eigenvalues of symmetric 3x3 matrices by cyclic Jacobi, eight at a time, and the projection made of them.

#include "brio/linalg/jacobi.hpp"

namespace brio {

/// A = Q diag(lambda) Q^T, det Q = 1, lambda0 >= lambda1 >= lambda2 up to round-off.
template <class T>
struct Eigen3 {
  V3<T> lambda;
  M3<T> Q;
};

/// Reads the upper triangle of A.
template <class T>
Eigen3<T> eigen3(const M3<T>& A) {
  T scale = abs(A(0, 0));
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) scale = max(scale, abs(A(i, j)));
  scale = select(scale > detail::kZero, scale, constant<T>(1));
  const T shrink = 1.0 / scale;

  const T zero = constant<T>(0), one = constant<T>(1);
  V3<T> d{A(0, 0) * shrink, A(1, 1) * shrink, A(2, 2) * shrink};
  T a01 = A(0, 1) * shrink, a02 = A(0, 2) * shrink, a12 = A(1, 2) * shrink;
  V3<T> q[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};

  // Zeroes the entry c between i and j; ci and cj are the entries that couple them to the third row.
  const auto eliminate = [&](int i, int j, T& c, T& ci, T& cj, const typename MaskOf<T>::type& active) {
    const auto r = detail::diagonalizing_rotation(d[i], d[j], c, active);
    const T di = d[i], dj = d[j], cross_term = 2.0 * r.c * r.s * c;
    d[i] = r.c * r.c * di + r.s * r.s * dj + cross_term;
    d[j] = r.s * r.s * di + r.c * r.c * dj - cross_term;
    c = select(active, zero, c);
    r.turn(ci, cj);
    r.turn(q[i], q[j]);
  };
  constexpr double tolerance = 1e-16;
  auto active = scale > 0;
  for (int sweep = 0; sweep < detail::kMostSweeps && any(active); ++sweep) {
    eliminate(0, 1, a01, a02, a12, active);
    eliminate(0, 2, a02, a01, a12, active);
    eliminate(1, 2, a12, a01, a02, active);
    active = active & (abs(a01) + abs(a02) > tolerance);
  }

  Eigen3<T> e;
  for (int k = 0; k < 3; ++k) {
    e.lambda[k] = d[k] * scale;
    for (int i = 0; i < 3; ++i) e.Q(i, k) = q[k][i];
  }
  return e;
}

/// The nearest positive semi-definite matrix; matrices that are positive definite already come back bit for bit.
template <class T>
M3<T> project_psd(const M3<T>& A) {
  const T minor = A(0, 0) * A(1, 1) - A(0, 1) * A(0, 1);
  const T whole = determinant(A);
  const auto fine = (A(0, 0) > 0) & (minor > 0) & (whole > 0);
  if (!any(!fine)) return A;
  const Eigen3<T> e = eigen3(A);
  const auto keep = fine | (e.lambda[2] >= 0);
  M3<T> B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      T sum = constant<T>(0);
      for (int k = 0; k < 3; ++k) sum += max(e.lambda[k], constant<T>(0)) * (e.Q(i, k) * e.Q(j, k));
      B(i, j) = select(keep, A(i, j), sum);
    }
  return B;
}

}  // namespace brio

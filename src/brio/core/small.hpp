#pragma once
// Three-vectors and 3x3 matrices over any number type (double or Pack), with just the operations that the element
// formulas use. Eigen's fixed-size types cannot hold vector-extension numbers without losing the vectorization.

#include "brio/core/pack.hpp"

namespace brio {

template <class T>
struct V3 {
  T e[3];
  T& operator[](int i) { return e[i]; }
  const T& operator[](int i) const { return e[i]; }
};

template <class T>
struct M3 {
  T e[3][3];
  T& operator()(int i, int j) { return e[i][j]; }
  const T& operator()(int i, int j) const { return e[i][j]; }
};

template <class T>
BRIO_INLINE T dot(const V3<T>& a, const V3<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
BRIO_INLINE V3<T> cross(const V3<T>& a, const V3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T>
BRIO_INLINE V3<T> operator*(const M3<T>& A, const V3<T>& x) {
  V3<T> y;
  for (int i = 0; i < 3; ++i) y[i] = A(i, 0) * x[0] + A(i, 1) * x[1] + A(i, 2) * x[2];
  return y;
}

template <class T>
BRIO_INLINE M3<T> operator*(const M3<T>& A, const M3<T>& B) {
  M3<T> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  return C;
}

template <class T>
BRIO_INLINE M3<T> operator-(const M3<T>& A, const M3<T>& B) {
  M3<T> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, j) - B(i, j);
  return C;
}

template <class T>
BRIO_INLINE M3<T> operator*(double a, const M3<T>& B) {
  M3<T> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = a * B(i, j);
  return C;
}

template <class T>
BRIO_INLINE M3<T> transpose(const M3<T>& A) {
  M3<T> B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B(i, j) = A(j, i);
  return B;
}

template <class T>
BRIO_INLINE T determinant(const M3<T>& A) {
  return A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) - A(0, 1) * (A(1, 0) * A(2, 2) - A(1, 2) * A(2, 0)) +
         A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
}

/// The cofactor matrix d(det A)/dA.
template <class T>
BRIO_INLINE M3<T> cofactor(const M3<T>& A) {
  M3<T> C;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      C(i, a) = A(j, b) * A(k, c) - A(j, c) * A(k, b);
    }
  }
  return C;
}

/// A : B, the sum of the products of the entries.
template <class T>
BRIO_INLINE T contract(const M3<T>& A, const M3<T>& B) {
  T sum = A(0, 0) * B(0, 0);
  for (int k = 1; k < 9; ++k) sum += A(k / 3, k % 3) * B(k / 3, k % 3);
  return sum;
}

/// The sum of the squared entries.
template <class T>
BRIO_INLINE T squared_norm(const M3<T>& A) {
  return contract(A, A);
}

}  // namespace brio

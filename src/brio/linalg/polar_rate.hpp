#pragma once
// How rotation and stretch of F = R S change with F, in closed form ([CONJAC] eq. 17-19; Smith et al. 2019). With
// F = U diag(s) V^T and A = U^T F' V the rotation turns by U W V^T, W_ij = (A_ij - A_ji) / (s_i + s_j), and what is
// left of A is the rate of the stretch: V^T S' V = A - W diag(s).

#include "brio/linalg/svd3.hpp"

namespace brio {

template <class T>
struct PolarRate {
  M3<T> R;  ///< R'
  M3<T> S;  ///< S'
};

/// Where s_i + s_j = 0 the rotation is not differentiable; that term is left out.
template <class T>
BRIO_INLINE PolarRate<T> polar_rate(const Svd3<T>& f, const M3<T>& F_dot) {
  const M3<T> A = transpose(f.U) * F_dot * f.V;
  const T scale = abs(f.s[0]) + abs(f.s[1]) + abs(f.s[2]), zero = constant<T>(0), one = constant<T>(1);
  M3<T> W, B;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const T sum = f.s[i] + f.s[j];
      const auto turns = abs(sum) > 1e-12 * scale;
      W(i, j) = select(turns, (A(i, j) - A(j, i)) / select(turns, sum, one), zero);
      B(i, j) = A(i, j) - W(i, j) * f.s[j];
    }
  }
  return {f.U * W * transpose(f.V), f.V * B * transpose(f.V)};
}

}  // namespace brio

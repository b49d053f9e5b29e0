#pragma once
// Any isotropic law, given its three derivatives in principal stretches, as a Material: F = U diag(s) V^T once, then
// the stress is U diag(dpsi) V^T, and in the frame of U and V the Hessian falls apart into one 3x3 block and three
// pairs (Teran, Sifakis, Irving, Fedkiw 2005; Smith, de Goes, Kim 2019), so that its projection needs no 9x9
// eigensolve. Include this header only in the .cpp file of a law: it is slow to compile.

#include "brio/linalg/eigen3.hpp"
#include "brio/linalg/polar3.hpp"
#include "brio/material/fitted_slope.hpp"
#include "brio/material/lame.hpp"
#include "brio/material/material.hpp"
#include "brio/material/volume_terms.hpp"

#include <concepts>
#include <memory>

namespace brio {

/// s: principal stretches, the last one negative where the element is inverted.
template <class L>
concept IsotropicLaw = requires(const L& law, const V3<double>& s) {
  { law.psi(s) } -> std::same_as<double>;
  { law.dpsi(s) } -> std::same_as<V3<double>>;
  { law.d2psi(s) } -> std::same_as<M3<double>>;
};

/// Laws that can also compute energy and stress without singular values, from F alone (M3) or from F and its rotation
/// (Polar3); used where no stiffness is wanted.
template <class L, template <class> class Measure>
concept KnownFrom = requires(const L& law, const Measure<double>& f) {
  { law.psi(f) } -> std::same_as<double>;
  { law.PK1(f) } -> std::same_as<M3<double>>;
};

/// Laws psi(I_C, J) can have their stiffness without singular values, where it is not projected.
template <class L>
concept KnownByInvariants = requires(const L& law, double I_C, double J) {
  { law.slopes(I_C, J) } -> std::same_as<InvariantSlopes<double>>;
};

/// Laws that are smooth functions of F^T F and det F do not change when two stretches change sign (Law::even); the
/// others have a kink where s_i + s_j = 0.
template <class L>
concept EvenLaw = requires {
  requires L::even;
};

/// The Hessian of psi(F) in the frame of U and V: with D = U^T dF V the change of stress is
///   sum_j A_ij D_jj on the diagonal,  p_ij D_ij + m_ij D_ji  off it.
template <class T>
struct RotatedHessian {
  M3<T> A;     ///< d2psi
  V3<T> p, m;  ///< of the pairs (1,2), (2,0), (0,1), named by the index left out
};

template <class Law, class T>
BRIO_INLINE RotatedHessian<T> rotated_hessian(const Law& law, const V3<T>& s, const V3<T>& dpsi, Psd psd) {
  RotatedHessian<T> h;
  h.A = law.d2psi(s);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    // Where a quotient is 0/0 its limit is a mean of second derivatives, right to second order in what is neglected:
    // at 1e-5 this and the cancellation in the quotient are both below 1e-10.
    const T near = 1e-5 * (1.0 + abs(s[i]));
    const T mean = 0.5 * (h.A(i, i) + h.A(j, j)), one = constant<T>(1);
    const T difference = s[i] - s[j], sum = s[i] + s[j];
    const auto equal = abs(difference) < near;
    T stretch = select(equal, mean - h.A(i, j), (dpsi[i] - dpsi[j]) / select(equal, one, difference));
    T twist;
    if constexpr (EvenLaw<Law>) {
      const auto opposite = abs(sum) < near;
      twist = select(opposite, mean + h.A(i, j), (dpsi[i] + dpsi[j]) / select(opposite, one, sum));
    } else {
      const T least = constant<T>(1e-4);  // at the kink the curvature is infinite; a large finite number will do
      twist = (dpsi[i] + dpsi[j]) / select(abs(sum) > least, sum, select(sum < 0, -least, least));
    }
    if (psd == Psd::clamp) {
      stretch = max(stretch, constant<T>(0));
      twist = max(twist, constant<T>(0));
    }
    // The eigenvectors of a pair are D_ij = D_ji (a stretch along the diagonals) and D_ij = -D_ji (a twist).
    h.p[k] = 0.5 * (stretch + twist);
    h.m[k] = 0.5 * (stretch - twist);
  }
  if (psd == Psd::clamp) h.A = project_psd(h.A);
  return h;
}

/// U K U^T for the block K_ab that the rotated gradients ga = V^T g_a and gb = V^T g_b see.
template <class T>
BRIO_INLINE void stiffness_block(const RotatedHessian<T>& h, const M3<T>& U, const V3<T>& ga, const V3<T>& gb,
                                 M3<T>& out) {
  M3<T> K;
  const V3<T> gg{ga[0] * gb[0], ga[1] * gb[1], ga[2] * gb[2]};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    K(i, i) = h.A(i, i) * gg[i] + h.p[k] * gg[j] + h.p[j] * gg[k];
    K(i, j) = h.A(i, j) * (ga[i] * gb[j]) + h.m[k] * (ga[j] * gb[i]);
    K(j, i) = h.A(i, j) * (ga[j] * gb[i]) + h.m[k] * (ga[i] * gb[j]);
  }
  out = U * (K * transpose(U));
}

/// Stress and stiffness of a law psi(I_C, J) from F itself. det F is linear in each column, so that its second derivative
/// along u ga^T and w gb^T is (u x w) . F (ga x gb):
///   K_ab = a (ga . gb) I + da (F ga)(F gb)^T + db (C ga)(C gb)^T - b [F (ga x gb)]_x,  C = cof F.
template <class Law, class T>
BRIO_INLINE void invariant_stiffness(const Law& law, const M3<T>& F, const V3<T> (&g)[3], M3<T>* P, M3<T>* blocks) {
  const M3<T> C = cofactor(F);
  const InvariantSlopes<T> slope = law.slopes(squared_norm(F), determinant(F));
  if (P)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) (*P)(i, j) = slope.a * F(i, j) + slope.b * C(i, j);
  const V3<T> f[3] = {F * g[0], F * g[1], F * g[2]}, c[3] = {C * g[0], C * g[1], C * g[2]};
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int n = 0; n < 6; ++n) {
    const auto [a, b] = pairs[n];
    M3<T>& K = blocks[n];
    for (int i = 0; i < 3; ++i) {
      const T by_norm = slope.da * f[a][i], by_volume = slope.db * c[a][i];
      for (int j = a == b ? i : 0; j < 3; ++j) K(i, j) = by_norm * f[b][j] + by_volume * c[b][j];
    }
    const T diagonal = slope.a * dot(g[a], g[b]);
    for (int i = 0; i < 3; ++i) K(i, i) += diagonal;
    if (a == b) {
      K(1, 0) = K(0, 1), K(2, 0) = K(0, 2), K(2, 1) = K(1, 2);
      continue;
    }
    const V3<T> normal = F * cross(g[a], g[b]);
    for (int i = 0; i < 3; ++i) {
      const T turn = slope.b * normal[(i + 2) % 3];
      K(i, (i + 1) % 3) += turn;
      K((i + 1) % 3, i) -= turn;
    }
  }
}

template <IsotropicLaw Law>
class IsotropicMaterial : public Material {
 public:
  explicit IsotropicMaterial(const Law& law)
      : law_(law), slope_(fitted_slope([&](double s) {
          return law.dpsi(V3<double>{s, 1, 1})[0];
        })) {}

  void evaluate(const ElementBatch& in, const ElementWant& want) const override {
    if constexpr (KnownFrom<Law, M3>) {
      if (!want.blocks) return answer(M3<Pack>(in.F), want);
    } else if constexpr (KnownFrom<Law, Polar3>) {
      if (!want.blocks) return answer(polar3(in.F), want);
    }
    if constexpr (KnownByInvariants<Law>) {
      if (want.blocks && want.psd == Psd::none && want.closed_form) {
        if (want.psi) *want.psi = law_.psi(in.F);
        return invariant_stiffness(law_, in.F, in.g, want.P, want.blocks);
      }
    }
    const Svd3<Pack> f = svd3(in.F);
    if (want.psi) *want.psi = law_.psi(f.s);
    if (!want.P && !want.blocks) return;
    const V3<Pack> dpsi = law_.dpsi(f.s);
    if (want.P) {
      M3<Pack> W;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) W(i, j) = f.V(i, j) * dpsi[j];
      *want.P = f.U * transpose(W);
    }
    if (want.blocks) {
      const RotatedHessian<Pack> h = rotated_hessian(law_, f.s, dpsi, want.psd);
      const M3<Pack> Vt = transpose(f.V);
      const V3<Pack> g[3] = {Vt * in.g[0], Vt * in.g[1], Vt * in.g[2]};
      constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
      for (int b = 0; b < 6; ++b) stiffness_block(h, f.U, g[pairs[b][0]], g[pairs[b][1]], want.blocks[b]);
    }
  }

  /// Young's modulus at small strain. Laws without any, such as mu (s-1)^4, answer with the slope of the line that fits
  /// the stress on stretches 0.5 to 1.5 best ([QN] eq. 11).
  double reference_modulus() const override {
    const Lame k = lame_at_rest();
    if (k.mu > 0 && k.lambda + k.mu > 0) return young_modulus(k);
    return slope_;
  }

  double projective_weight(const Vec3& ga, const Vec3& gb, const Vec3&) const override { return slope_ * ga.dot(gb); }
  /// Laws without stiffness at rest were fitted where they have some, and count as fitting.
  ProjectiveFit projective_fit() const override {
    const Lame k = lame_at_rest();
    if (!(k.mu > 0 && slope_ > 0)) return {};
    return {2 * k.mu / slope_, (2 * k.mu + 3 * k.lambda) / slope_};
  }

 private:
  Lame lame_at_rest() const {
    const M3<double> A = law_.d2psi(V3<double>{1, 1, 1});
    return {(A(0, 0) - A(0, 1)) / 2, A(0, 1)};
  }

  /// The measure is a copy and both are computed before either is stored, so that what they share is computed once.
  template <class Measure>
  BRIO_INLINE void answer(const Measure& f, const ElementWant& want) const {
    if (want.psi && want.P) {
      const Pack psi = law_.psi(f);
      const M3<Pack> P = law_.PK1(f);
      *want.psi = psi;
      *want.P = P;
    } else if (want.psi) {
      *want.psi = law_.psi(f);
    } else if (want.P) {
      *want.P = law_.PK1(f);
    }
  }

  Law law_;
  double slope_;  ///< of the stress under stretches in one direction [Pa]
};

/// The material of a law given in principal stretches.
template <IsotropicLaw Law>
std::unique_ptr<Material> make_isotropic(const Law& law) {
  return std::make_unique<IsotropicMaterial<Law>>(law);
}

}  // namespace brio

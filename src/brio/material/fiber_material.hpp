#pragma once
// A law of the stretch l = |F d| along a fiber d as a Material. With n = F d / l the stress is psi'/l (F d) d^T, and a
// stiffness block is (d.g_a)(d.g_b) [psi'' n n^T + psi'/l (I - n n^T)]: two eigenvalues, clamped one by one.

#include "brio/material/fitted_slope.hpp"
#include "brio/material/material.hpp"

#include <memory>

namespace brio {

template <class Law>
class FiberMaterial : public Material {
 public:
  /// A tension-only fiber has no stress below l = 1.
  FiberMaterial(const Law& law, bool tension_only)
      : law_(law),
        tension_only_(tension_only),
        slope_(fitted_slope([&](double l) { return l * law.dpsi_over_l(l); })) {}

  void evaluate(const ElementBatch& in, const ElementWant& want) const override {
    const V3<Pack>& d = in.fiber;
    const V3<Pack> Fd = in.F * d;
    const Pack l = sqrt(dot(Fd, Fd)), zero = constant<Pack>(0);
    PackMask taut = dot(d, d) > 0;  // elements without a fiber answer zero
    if (tension_only_) taut &= l > 1 + kSlack;

    if (want.psi) *want.psi = select(taut, law_.psi(l), zero);
    if (!want.P && !want.blocks) return;
    const Pack across = select(taut, law_.dpsi_over_l(l), zero);
    if (want.P) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) (*want.P)(i, j) = across * Fd[i] * d[j];
    }
    if (want.blocks) {
      Pack along = select(taut, law_.d2psi(l), zero), aside = across;
      if (want.psd == Psd::clamp) along = max(along, zero), aside = max(aside, zero);
      const Pack excess = (along - aside) / select(l > 0, l * l, constant<Pack>(1));
      const Pack dg[3] = {dot(d, in.g[0]), dot(d, in.g[1]), dot(d, in.g[2])};
      constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
      for (int b = 0; b < 6; ++b) {
        const Pack w = dg[pairs[b][0]] * dg[pairs[b][1]], x = w * excess;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) want.blocks[b](i, j) = x * (Fd[i] * Fd[j]);
          want.blocks[b](i, i) += w * aside;
        }
      }
    }
  }

  double reference_modulus() const override { return law_.kappa; }
  double projective_weight(const Vec3& ga, const Vec3& gb, const Vec3& fiber) const override {
    return slope_ * fiber.dot(ga) * fiber.dot(gb);
  }

 private:
  Law law_;
  static constexpr double kSlack = 1e-9;  ///< strain: a fiber at rest is slack, whatever rounding makes of its length
  bool tension_only_;
  double slope_;  ///< of the stress over the stretch [Pa]
};

}  // namespace brio

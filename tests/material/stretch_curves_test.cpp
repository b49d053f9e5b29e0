// Simple stretches against formulas worked out by hand.

#include "brio/material/stretch_curves.hpp"

#include <gtest/gtest.h>

#include "material_samples.hpp"

namespace brio {
namespace {

std::unique_ptr<Material> corotated(double mu, double lambda) {
  return make_material(find_row(isotropic_laws(), "law", "corotated"), {{"mu", mu}, {"lambda", lambda}});
}

TEST(StretchCurves, corotated_elasticity_is_linear_in_the_stretch) {
  const double mu = 3, lambda = 5, s = 1.3, x = s - 1;
  const auto law = corotated(mu, lambda);
  const StretchPoint held = stretched(*law, Vec3::Zero(), s, Sides::held);
  EXPECT_NEAR(held.stress, (2 * mu + lambda) * x, 1e-12);
  EXPECT_NEAR(held.energy, (mu + lambda / 2) * x * x, 1e-12);
  const StretchPoint together = stretched(*law, Vec3::Zero(), s, Sides::together);
  EXPECT_NEAR(together.stress, (2 * mu + 3 * lambda) * x, 1e-12);
  // With free sides the law is Hooke's: Young's modulus times the strain, and half of it squared.
  const double E = mu * (3 * lambda + 2 * mu) / (lambda + mu);
  const StretchPoint free = stretched(*law, Vec3::Zero(), s, Sides::free);
  EXPECT_NEAR(free.stress, E * x, 1e-9);
  EXPECT_NEAR(free.energy, E * x * x / 2, 1e-9);
}

TEST(StretchCurves, the_fitted_line_is_the_law_where_that_is_linear) {
  const double mu = 3, lambda = 5;
  EXPECT_NEAR(corotated(mu, lambda)->projective_weight(Vec3::UnitX(), Vec3::UnitX(), Vec3::Zero()), 2 * mu + lambda,
              1e-12);
  EXPECT_EQ(corotated(mu, lambda)->projective_weight(Vec3::UnitX(), Vec3::UnitY(), Vec3::Zero()), 0);
  const auto fiber = make_material(find_row(fiber_laws(), "law", "fiber-quadratic"), {{"kappa", 7.0}});
  EXPECT_NEAR(fiber->projective_weight(Vec3::UnitX(), Vec3::UnitX(), Vec3::UnitX()), 7, 1e-12);
  EXPECT_EQ(fiber->projective_weight(Vec3::UnitY(), Vec3::UnitY(), Vec3::UnitX()), 0);
}

}  // namespace
}  // namespace brio

// Particular laws against values worked out by hand, and what sets each of them apart.
#include "brio/material/fiber_laws.hpp"
#include "brio/material/neo_hookean.hpp"
#include "brio/material/polynomial_curve.hpp"
#include "brio/material/spline_curve.hpp"

#include <gtest/gtest.h>

#include "material_samples.hpp"

namespace brio {
namespace {

const Vec3 kX(1, 0, 0);

std::unique_ptr<Material> law(const std::string& name, const Given& given) {
  const bool fiber = name.starts_with("fiber");
  return make_material(find_row(fiber ? fiber_laws() : isotropic_laws(), "law", name), given);
}

// F = 2 I, mu = 3, lambda = 5 where the law has them.
TEST(ClosedForms, doubled_cube) {
  const Mat3 F = 2 * Mat3::Identity();
  const double mu = 3, lambda = 5, log2 = std::log(2.0);
  const Given constants{{"mu", mu}, {"lambda", lambda}};
  EXPECT_DOUBLE_EQ(energy(*law("arap", {{"mu", mu}}), F, kX), 3 * mu);
  EXPECT_DOUBLE_EQ(energy(*law("corotated", constants), F, kX), 3 * mu + 4.5 * lambda);
  EXPECT_DOUBLE_EQ(energy(*law("stvk", constants), F, kX), mu * 6.75 + lambda * 10.125);
  EXPECT_DOUBLE_EQ(energy(*law("neo-hookean", constants), F, kX),
                   4.5 * mu - 3 * mu * log2 + 4.5 * lambda * log2 * log2);
  const double m = 4, l = 7.5, alpha = 1.4;  // Smith et al. 2018: 4/3 mu, lambda + 5/6 mu, 1 + 3/4 m/l
  EXPECT_NEAR(energy(*law("stable-neo-hookean", constants), F, kX),
              4.5 * m + l / 2 * ((8 - alpha) * (8 - alpha) - 0.16) - m / 2 * std::log(13.0 / 4), 1e-11);
  // mu10 = 1, mu01 = 0.5: mu = 3, and kappa = lambda + 2 makes k = lambda + 2 mu10 = 7.
  EXPECT_NEAR(energy(*law("mooney-rivlin", {{"mu10", 1.0}, {"mu01", 0.5}, {"kappa", 7.0}}), F, kX),
              1 * 9 + 0.5 * 45 - 4 * 7 + 3.5 * 49, 1e-11);
  EXPECT_NEAR(energy(*law("fiber-quadratic", {{"kappa", 6.0}}), F, kX), 3, 1e-13);
  EXPECT_NEAR(energy(*law("fiber-stvk", {{"kappa", 8.0}}), F, kX), 9, 1e-13);
  EXPECT_NEAR(energy(*law("fiber-fung", {{"kappa", 8.0}, {"b", 0.5}}), F, kX), 2 * (std::exp(4.5) - 1), 1e-10);
}

TEST(ClosedForms, valanis_landel_with_linear_stress_is_arap) {
  const auto arap = law("arap", {{"mu", 10.0}});
  const auto polynomial = law("valanis-landel-polynomial", {{"a", std::vector<double>{10}}});
  const auto spline = law("valanis-landel-spline", {{"a", std::vector<Pair>{{0.5, -10}, {0.7, -6}, {1, 0}, {1.4, 8}}}});
  for (const Mat3& F : sample_deformations()) {
    const Answer expected = answer(*arap, F, kX);
    for (const auto* other : {polynomial.get(), spline.get()}) {
      const Answer a = answer(*other, F, kX);
      EXPECT_NEAR(a.psi, expected.psi, 1e-12);
      EXPECT_LE((a.P - expected.P).norm(), 1e-11);
      EXPECT_LE((a.H - expected.H).norm(), 1e-11 * expected.H.norm());
    }
  }
}

// Pushed flat and beyond, the element is driven back: the force along the squeezed axis keeps its sign. (Past -1
// another axis is the shortest, and laws of stretches take that one for the inverted one.)
TEST(ClosedForms, inverted_elements_turn_back) {
  for (const char* name : {"arap", "corotated", "neo-hookean", "stable-neo-hookean", "mooney-rivlin"}) {
    const auto material = law(name, {{"E", kYoung}, {"nu", kPoisson}});
    for (double s = -0.975; s < 0.95; s += 0.05) {
      EXPECT_LT(stress(*material, Vec3(1, 1, s).asDiagonal(), kX)(2, 2), 0) << name << " at " << s;
    }
  }
}

// Laws of F^T F and det F are smooth where two stretches cancel, though the quotient in their Hessian is 0/0 there.
TEST(ClosedForms, laws_of_invariants_are_smooth_where_stretches_cancel) {
  std::mt19937 random(5);
  for (const char* name : {"stvk", "neo-hookean", "stable-neo-hookean", "mooney-rivlin"}) {
    const auto material = law(name, {{"E", kYoung}, {"nu", kPoisson}});
    for (double gap : {0.0, 1e-8, 1.4e-5, 1.6e-5, 1e-3}) {
      const Mat3 F = random_rotation(random) * Vec3(1.2, 0.5 + gap, -0.5).asDiagonal() * random_rotation(random);
      const Mat9 H = answer(*material, F, kX).H;
      const Mat3 direction = random_matrix(random), step = 1e-5 * direction;
      const Mat3 numeric = (stress(*material, F + step, kX) - stress(*material, F - step, kX)) / 2e-5;
      EXPECT_LE((H * direction.reshaped() - numeric.reshaped()).norm(), 1e-6 * H.norm() * direction.norm()) << name;
    }
  }
}

TEST(ClosedForms, neo_hookean_goes_on_smoothly_below_its_least_volume) {
  const NeoHookean law{{3, 5}, 0.2};
  const double e = 1e-9;
  const V3<double> above{1, 1, 0.2 + e}, below{1, 1, 0.2 - e};
  EXPECT_NEAR(law.psi(above), law.psi(below), 1e-6);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(law.dpsi(above)[i], law.dpsi(below)[i], 1e-5);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(law.d2psi(above)(i, j), law.d2psi(below)(i, j), 1e-4);
  }
}

TEST(ClosedForms, fibers_pull_only_where_there_are_any) {
  for (const MaterialEntry& row : fiber_laws()) {
    const auto material = make_material(row, sample_options(row));
    const Answer none = answer(*material, 2 * Mat3::Identity(), Vec3::Zero());
    EXPECT_EQ(none.psi, 0);
    EXPECT_EQ(none.P, Mat3(Mat3::Zero()));
    EXPECT_EQ(none.H, Mat9(Mat9::Zero()));

    Given given = sample_options(row);
    given["tension_only"] = true;
    const auto thread = make_material(row, given);
    EXPECT_EQ(energy(*thread, 0.5 * Mat3::Identity(), kX), 0);
    EXPECT_EQ(stress(*thread, 0.5 * Mat3::Identity(), kX), Mat3(Mat3::Zero()));
    EXPECT_EQ(stress(*thread, (1 + 1e-12) * Mat3::Identity(), kX), Mat3(Mat3::Zero()))
        << "at rest, whatever rounding makes of the length";
    EXPECT_EQ(energy(*thread, 1.5 * Mat3::Identity(), kX), energy(*material, 1.5 * Mat3::Identity(), kX));
  }
}

// Beyond an exponent of 20 Fung's law is a polynomial; b (l^2-1)^2 = 20 at l^2 = 3 for b = 5.
TEST(ClosedForms, fung_is_continuous_where_its_exponential_ends) {
  const FungFiber law{1, 5};
  const double l = std::sqrt(3.0), above = l + 1e-9, below = l - 1e-9;
  EXPECT_NEAR(law.psi(above) / law.psi(below), 1, 1e-6);
  EXPECT_NEAR(law.dpsi_over_l(above) / law.dpsi_over_l(below), 1, 1e-6);
  EXPECT_NEAR(law.d2psi(above) / law.d2psi(below), 1, 1e-6);
  EXPECT_TRUE(std::isfinite(law.psi(1e6)));
}

TEST(Curves, spline_keeps_to_its_points) {
  const std::vector<Pair> points{{0.2, -7}, {0.5, -6.9}, {0.9, -0.1}, {1.0, 0}, {1.3, 4}, {2.5, 4.1}};
  const SplineCurve curve(points, "a");
  for (const Pair& p : points) EXPECT_NEAR(curve.stress(p[0]), p[1], 1e-12);
  EXPECT_EQ(curve.energy(1.0), 0);
  double last = curve.stress(-1.0);
  for (double x = -0.999; x < 4; x += 0.001) {
    EXPECT_GT(curve.stress(x), last) << "not monotone at " << x;
    last = curve.stress(x);
    const double h = 1e-5;
    EXPECT_NEAR((curve.energy(x + h) - curve.energy(x - h)) / (2 * h), last, 1e-6);
  }
  EXPECT_NEAR(curve.stress(-0.8), -7 - curve.slope(0.2), 1e-12);  // a line on the left ...
  EXPECT_NEAR(curve.stress(3.5), 4.1 + curve.slope(2.5), 1e-12);  // ... and on the right
}

// The least-squares slope of 4 mu x^3 on [-1/2, 1/2] is 4 mu (x^4)/(x^2) averaged: 0.6 mu. The midpoint sum errs by
// 1e-4.
TEST(Curves, quartic_law_has_a_reference_modulus_though_no_young_modulus) {
  const auto quartic = law("valanis-landel-polynomial", {{"a", std::vector<double>{0, 0, 100}}});
  EXPECT_NEAR(quartic->reference_modulus(), 60, 0.02);
}

TEST(Sum, adds_what_its_parts_answer) {
  std::vector<std::unique_ptr<Material>> parts;
  parts.push_back(law("corotated", {{"E", kYoung}, {"nu", kPoisson}}));
  parts.push_back(law("fiber-stvk", {{"kappa", kKappa}}));
  const auto flesh = law("corotated", {{"E", kYoung}, {"nu", kPoisson}}),
             fiber = law("fiber-stvk", {{"kappa", kKappa}});
  const MaterialSum sum(std::move(parts));
  for (const Mat3& F : sample_deformations()) {
    for (Psd psd : {Psd::none, Psd::clamp}) {
      const Answer a = answer(*flesh, F, kX, psd), b = answer(*fiber, F, kX, psd), both = answer(sum, F, kX, psd);
      EXPECT_EQ(both.psi, a.psi + b.psi);
      EXPECT_EQ(both.P, a.P + b.P);
      EXPECT_EQ(both.H, a.H + b.H);
    }
    EXPECT_EQ(stress(sum, F, kX), stress(*flesh, F, kX) + stress(*fiber, F, kX));
  }
  EXPECT_EQ(sum.reference_modulus(), kKappa);
}

}  // namespace
}  // namespace brio

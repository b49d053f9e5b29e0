// Every row of both tables: derivatives against finite differences, rest, frame invariance, small strain, projection.
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "material_samples.hpp"

namespace brio {
namespace {

struct Case {
  const MaterialEntry* row;
  bool fiber;
  std::string name;
  Given given;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const MaterialEntry& row : isotropic_laws()) list.push_back({&row, false, row.name, sample_options(row)});
  for (const MaterialEntry& row : fiber_laws()) {
    list.push_back({&row, true, row.name, sample_options(row)});
    Given slack = sample_options(row);
    slack["tension_only"] = true;
    list.push_back({&row, true, row.name + "-tension-only", slack});
  }
  return list;
}

class Laws : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Material> material_ = make_material(*GetParam().row, GetParam().given);
  std::mt19937 random_{3};
};

// Central differences of step h err by h^2 times a third derivative and by round-off/h: 1e-10 and 1e-11 of the size of
// the stress or stiffness, times what the law's curvature makes of it.
constexpr double kStep = 1e-5, kGradientTolerance = 1e-7, kHessianTolerance = 1e-6;

TEST_P(Laws, stress_is_the_gradient_of_the_energy) {
  int felt = 0;
  for (const Mat3& F : sample_deformations()) {
    const Vec3 d = random_direction(random_);
    const Mat3 P = stress(*material_, F, d);
    felt += P.norm() > 1e-4 * kYoung;
    Mat3 numeric;
    for (int k = 0; k < 9; ++k) {
      Mat3 more = F, less = F;
      more(k) += kStep;
      less(k) -= kStep;
      numeric(k) = (energy(*material_, more, d) - energy(*material_, less, d)) / (2 * kStep);
    }
    const double size = P.norm() + energy(*material_, F, d) + kYoung;
    EXPECT_LE((P - numeric).norm(), kGradientTolerance * size) << F << "\nP\n" << P << "\nnumeric\n" << numeric;
  }
  EXPECT_GT(felt, 20) << "the deformations do not strain this law";
}

TEST_P(Laws, stiffness_is_the_gradient_of_the_stress) {
  for (const Mat3& F : sample_deformations()) {
    const Vec3 d = random_direction(random_);
    const double l = (F * d).norm();
    if (GetParam().fiber && std::abs(l - 1) < 1e-3) continue;  // tension-only fibers have a kink there
    const Mat9 H = answer(*material_, F, d).H;
    Mat9 numeric;
    for (int k = 0; k < 9; ++k) {
      Mat3 more = F, less = F;
      more(k) += kStep;  // column-major: entry k is F(k % 3, k / 3), which is row 3a + i of H
      less(k) -= kStep;
      numeric.col(k) = (stress(*material_, more, d) - stress(*material_, less, d)).reshaped() / (2 * kStep);
    }
    EXPECT_LE((H - numeric).norm(), kHessianTolerance * (H.norm() + kYoung)) << F << "\nH\n"
                                                                             << H << "\nnumeric\n"
                                                                             << numeric;
  }
}

// The same blocks seen through arbitrary shape gradients: K_ab = sum over c, d of g_a[c] g_b[d] times the (c, d) block.
TEST_P(Laws, blocks_follow_the_shape_gradients) {
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (const Mat3& F : sample_deformations()) {
    for (Psd psd : {Psd::none, Psd::clamp}) {
      const Vec3 d = random_direction(random_);
      const Mat3 g = random_matrix(random_);
      const Mat9 H = answer(*material_, F, d, psd).H;
      M3<Pack> blocks[6];
      material_->evaluate(batch_of(F, d, g), {nullptr, nullptr, blocks, psd});
      for (int b = 0; b < 6; ++b) {
        Mat3 expected = Mat3::Zero();
        for (int c = 0; c < 3; ++c)
          for (int e = 0; e < 3; ++e) expected += g(c, pairs[b][0]) * g(e, pairs[b][1]) * H.block<3, 3>(3 * c, 3 * e);
        EXPECT_LE((get_lane(blocks[b], 0) - expected).norm(), 1e-12 * (H.norm() + kYoung) * g.squaredNorm());
      }
    }
  }
}

// Some laws give their stiffness from F itself, without singular values; the others answer as they always do.
TEST_P(Laws, closed_form_is_the_same_stiffness) {
  for (const Mat3& F : sample_deformations()) {
    const ElementBatch batch = batch_of(F, random_direction(random_), random_matrix(random_));
    Pack psi[2];
    M3<Pack> P[2], blocks[2][6];
    for (const bool closed : {false, true})
      material_->evaluate(batch, {&psi[closed], &P[closed], blocks[closed], Psd::none, closed});
    double size = kYoung;
    for (const M3<Pack>& block : blocks[0]) size += get_lane(block, 0).norm();
    EXPECT_NEAR(psi[1][0], psi[0][0], 1e-12 * size);
    EXPECT_LE((get_lane(P[1], 0) - get_lane(P[0], 0)).norm(), 1e-12 * size);
    for (int b = 0; b < 6; ++b)
      EXPECT_LE((get_lane(blocks[1][b], 0) - get_lane(blocks[0][b], 0)).norm(), 1e-9 * size) << F;
  }
}

TEST_P(Laws, answers_do_not_depend_on_what_else_is_asked) {
  for (const Mat3& F : sample_deformations()) {
    const Vec3 d = random_direction(random_);
    const Answer all = answer(*material_, F, d);
    const double size = all.H.norm() + all.P.norm() + std::abs(all.psi) + kYoung;
    EXPECT_NEAR(energy(*material_, F, d), all.psi, 1e-13 * size);
    EXPECT_LE((stress(*material_, F, d) - all.P).norm(), 1e-13 * size);
  }
}

// Energy and stress are found without singular values where the law allows it, the stiffness never is. Deformations at
// which ways around them could lose digits: near opposite stretches, needles, all sizes.
TEST_P(Laws, awkward_elements_answer_the_same_with_and_without_stiffness) {
  std::mt19937 random(5);
  for (const Vec3& s : {Vec3(1.2, 0.6, -0.55), Vec3(1.2, 0.6, -0.59), Vec3(1, 1, -0.8), Vec3(1, 1, -0.99),
                        Vec3(1, 0.01, 0.01), Vec3(1, 1e-6, 1e-6), Vec3(1, 1e-6, -1e-9), Vec3(1, 1e-9, 0),
                        Vec3(1e3, 1e3, 1e3), Vec3(1e3, 1, 1e-3), Vec3(1e3, 800, -500), Vec3(1e-3, 1e-3, 1e-3),
                        Vec3(1e-3, 1e-4, -1e-5), Vec3(1e-90, 1e-90, 1e-90), Vec3(1 + 1e-9, 1, 1 - 1e-9)}) {
    for (int k = 0; k < 5; ++k) {
      const Mat3 F = random_rotation(random) * s.asDiagonal() * random_rotation(random).transpose();
      const Vec3 d = random_direction(random_);
      const Answer all = answer(*material_, F, d);
      // Rounding F already moves the stress by this stiffness times what was rounded.
      const double size = all.P.norm() + std::abs(all.psi) + kYoung + all.H.norm() * F.norm();
      EXPECT_NEAR(energy(*material_, F, d), all.psi, 1e-12 * size) << F;
      EXPECT_LE((stress(*material_, F, d) - all.P).norm(), 1e-12 * size) << F;
    }
  }
}

TEST_P(Laws, rest_is_free_of_energy_and_stress) {
  const Vec3 d = random_direction(random_);
  for (const Mat3& F : {Mat3(Mat3::Identity()), random_rotation(random_)}) {
    const Answer rest = answer(*material_, F, d);
    EXPECT_NEAR(rest.psi, 0, 1e-12 * kYoung);
    EXPECT_LE(rest.P.norm(), 1e-12 * kYoung);
    EXPECT_NEAR(energy(*material_, F, d), 0, 1e-12 * kYoung);
    EXPECT_LE(stress(*material_, F, d).norm(), 1e-12 * kYoung);
  }
}

TEST_P(Laws, rotations_change_nothing) {
  for (const Mat3& F : sample_deformations()) {
    const Mat3 R = random_rotation(random_);
    const Vec3 d = random_direction(random_), turned = R * d;
    const Answer here = answer(*material_, F, d), left = answer(*material_, R * F, d),
                 right = answer(*material_, F * R.transpose(), turned);
    const double size = 1e-12 * (here.H.norm() + here.P.norm() + std::abs(here.psi) + kYoung);
    EXPECT_NEAR(left.psi, here.psi, size);
    EXPECT_LE((left.P - R * here.P).norm(), size);
    EXPECT_NEAR(right.psi, here.psi, size);
    EXPECT_LE((right.P - here.P * R.transpose()).norm(), size);
  }
}

// d2psi/(dF_ia dF_jb) at rest is lambda d_ia d_jb + mu (d_ij d_ab + d_ib d_ja); along a fiber kappa d_i d_a d_j d_b.
TEST_P(Laws, small_strains_see_the_constants_asked_for) {
  const Vec3 d = random_direction(random_);
  Lame k = lame_from(kYoung, kPoisson);
  if (GetParam().name == "arap") k.lambda = 0;
  Mat9 expected;
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < 3; ++j)
        for (int b = 0; b < 3; ++b)
          expected(3 * a + i, 3 * b + j) =
              GetParam().fiber ? kKappa * d[i] * d[a] * d[j] * d[b]
                               : k.lambda * (i == a) * (j == b) + k.mu * ((i == j) * (a == b) + (i == b) * (j == a));
  // Just above rest, so that tension-only fibers are taut.
  const Mat3 F = Mat3::Identity() * (1 + 1e-8);
  EXPECT_LE((answer(*material_, F, d).H - expected).norm(), 1e-6 * expected.norm());
  EXPECT_NEAR(material_->reference_modulus(), GetParam().fiber ? kKappa : young_modulus(k), 1e-9 * kYoung);
}

TEST_P(Laws, projection_is_the_numeric_clamp_of_all_nine_eigenvalues) {
  int kept = 0, clamped = 0;
  for (const Mat3& F : sample_deformations()) {
    const Vec3 d = random_direction(random_);
    const Mat9 H = answer(*material_, F, d).H, projected = answer(*material_, F, d, Psd::clamp).H;
    const Eigen::SelfAdjointEigenSolver<Mat9> e(H);
    const Mat9 expected = e.eigenvectors() * e.eigenvalues().cwiseMax(0).asDiagonal() * e.eigenvectors().transpose();
    const double size = H.norm() + 1e-9 * kYoung;
    EXPECT_LE((projected - expected).norm(), 1e-12 * size) << F;
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat9>(projected).eigenvalues()[0], -1e-13 * size) << F;
    if (e.eigenvalues()[0] > 1e-13 * size || H.isZero(0)) {
      EXPECT_EQ(projected, H);
      ++kept;
    }
    clamped += e.eigenvalues()[0] < -1e-9 * size;
  }
  if (!GetParam().fiber) {
    EXPECT_GT(kept, 0);
  }
  if (GetParam().name.find("tension-only") == std::string::npos) {
    EXPECT_GT(clamped, 0);
  }
}

// Even laws have a finite limit where two stretches cancel; the others have a kink there and must stay finite.
TEST_P(Laws, opposite_stretches_are_finite) {
  for (double gap : {0.0, 1e-12, 1e-9, 1e-6}) {
    const Mat3 F = random_rotation(random_) * Vec3(1.2, 0.5 + gap, -0.5).asDiagonal() * random_rotation(random_);
    const Answer a = answer(*material_, F, random_direction(random_), Psd::clamp);
    EXPECT_TRUE(std::isfinite(a.psi) && a.P.allFinite() && a.H.allFinite());
    EXPECT_LE(a.H.norm(), 1e6 * kYoung);
  }
}

TEST_P(Laws, collapsed_and_huge_elements_are_finite) {
  for (const Mat3& F : {Mat3(Mat3::Zero()), Mat3(1e-200 * Mat3::Identity()), Mat3(1e3 * Mat3::Ones()),
                        Mat3(Vec3(1e3, 1e3, -1e3).asDiagonal())}) {
    for (Psd psd : {Psd::none, Psd::clamp}) {
      const Answer a = answer(*material_, F, Vec3(0.6, 0, 0.8), psd);
      EXPECT_TRUE(std::isfinite(a.psi) && a.P.allFinite() && a.H.allFinite()) << F;
    }
  }
}

TEST_P(Laws, lanes_are_alike_and_do_not_see_their_neighbors) {
  const std::vector<Mat3> list = sample_deformations();
  const Vec3 d = random_direction(random_);
  for (size_t k = 0; k < list.size(); ++k) {
    for (Psd psd : {Psd::none, Psd::clamp}) {
      ElementBatch mixed;
      for (int l = 0; l < kLanes; ++l) set_lane(mixed, l, list[(k + l) % list.size()], d, Mat3::Identity());
      const ElementBatch alike = batch_of(list[k], d);
      const Answer first = answer(*material_, mixed, 0, psd);
      for (int l = 0; l < kLanes; ++l) {
        const Answer same = answer(*material_, alike, l, psd);
        EXPECT_EQ(same.psi, first.psi);
        EXPECT_EQ(same.P, first.P);
        EXPECT_EQ(same.H, first.H);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, Laws, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace brio

// How stiff bars are, against the theory of beams.

#include <gtest/gtest.h>

#include "elements/beam.hpp"

namespace brio {
namespace {

using testing::Beam;

/// Two quadratic cells across do not lock, not even where the volume hardly changes.
TEST(Beams, quadratic_elements_bend_as_timoshenko_says) {
  for (const double nu : {0.0, 0.3, 0.45, 0.49}) {
    Beam beam;
    beam.nu = nu;
    const double ratio = beam.tip_with_free_root() / beam.timoshenko();
    RecordProperty(fmt::format("nu_{}", nu), fmt::format("{}", ratio));
    EXPECT_NEAR(ratio, 1, 0.001) << nu;
  }
}

/// A root in a wall can grow neither thinner nor thicker, which beam theory does not know. In three dimensions, with
/// meshes refined at the wall, the deflection over Timoshenko's at nu = 0.49 is then 0.987 for 20:1 and 0.974 for 10:1
/// (an independent program: docs/elements.md); two even cells across do not resolve the wall, and miss two percent.
TEST(Beams, in_a_wall_are_stiffer_than_timoshenko_says) {
  for (const double nu : {0.0, 0.3, 0.45, 0.49}) {
    Beam beam;
    beam.length = 2, beam.along = 40, beam.nu = nu;
    const Vec3 tip = beam.tip();
    const double ratio = -tip[1] / beam.timoshenko();
    RecordProperty(fmt::format("nu_{}", nu), fmt::format("{}", ratio));
    EXPECT_GT(ratio, nu < 0.49 ? 0.97 : 0.987 * 0.98) << nu;
    EXPECT_LT(ratio, nu < 0.49 ? 1.001 : 0.987) << nu;
    EXPECT_LT(std::fabs(tip[2]), 1e-3 * std::fabs(tip[1])) << nu;
  }
}

/// The same cells with linear elements are too stiff, the more the less they can change their volume.
TEST(Beams, linear_elements_lock) {
  constexpr double expected[][2] = {{0.0, 0.55}, {0.3, 0.50}, {0.45, 0.30}, {0.49, 0.11}};
  for (const auto& [nu, locked] : expected) {
    Beam beam;
    beam.nu = nu, beam.order = 1, beam.tets_per_cell = 6;
    EXPECT_NEAR(-beam.tip()[1] / beam.timoshenko(), locked, 0.02) << nu;
  }
}

TEST(Beams, quadratic_elements_vibrate_as_euler_and_bernoulli_say) {
  Beam beam;
  beam.length = 2, beam.along = 40, beam.nu = 0.3;  // so slender that shear and the held end are worth little
  const VectorXd found = beam.frequencies(4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found[i] / beam.euler_bernoulli(i / 2), 1, 0.02) << i;
}

}  // namespace
}  // namespace brio

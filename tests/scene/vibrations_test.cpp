// Vibration modes of a scene's body against closed forms.

#include "brio/scene/vibrations.hpp"

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double kE = 1e6, kRho = 1000, kLength = 1, kThickness = 0.1;
constexpr double kPi = std::numbers::pi;

/// A bar along x with `cells` cells across; nu = 0, so that there is no lateral contraction for rod theory to leave
/// out.
Simulation vibrating_bar(int cells, const std::string& constraints) {
  const std::string scene = fmt::format(R"({{
    "mesh": {{"generate": "bar", "length": {}, "width": {}, "height": {}, "cells_across": {}, "tets_per_cell": "6"}},
    "materials": [{{"law": "corotated", "E": {}, "nu": 0, "rho": {}}}],
    "sets": {{"wall": {{"select": "extreme", "axis": "x", "side": "min"}}, "everything": {{"select": "all"}}}},
    "constraints": [{}],
    "gravity": [0, 0, 0],
    "integrator": {{"name": "si", "h": 0.01}},
    "steps": 1}})",
                                        kLength, kThickness, kThickness, cells, kE, kRho, constraints);
  return build_simulation(parse_scene(scene, "bar.json", scene_tables(), {}));
}

const std::string kWall = R"({"set": "wall"})";

TEST(Vibrations, an_axial_wave_has_the_frequency_of_a_rod_held_at_one_end) {
  const Simulation simulation = vibrating_bar(2, kWall);
  const std::vector<Vibration> found = find_vibrations(simulation, 12);
  const auto axial =
      std::max_element(found.begin(), found.end(), [](auto& a, auto& b) { return a.mass_share[0] < b.mass_share[0]; });
  const double exact = std::sqrt(kE / kRho) / (4 * kLength);
  EXPECT_NEAR(axial->frequency(), exact, 5e-3 * exact);  // 20 cells along the bar: (pi/2 / 20)^2 / 24 and little more
  // Of a rod's mass, 8 / pi^2 is in its first axial mode; the mass at the wall does not move.
  EXPECT_NEAR(axial->mass_share[0], 8 / (kPi * kPi), 0.03);
}

TEST(Vibrations, a_cantilever_tends_to_the_frequency_of_a_beam) {
  const double inertia = std::pow(kThickness, 4) / 12, area = kThickness * kThickness;
  const double exact = 1.8751 * 1.8751 / (2 * kPi) * std::sqrt(kE * inertia / (kRho * area * std::pow(kLength, 4)));
  const double coarse = find_vibrations(vibrating_bar(2, kWall), 2)[0].frequency();
  const double fine = find_vibrations(vibrating_bar(4, kWall), 2)[0].frequency();
  EXPECT_GT(coarse, fine);  // linear tetrahedra are too stiff in bending
  EXPECT_GT(fine, exact);
  // The error is of second order in the cell; what is left is shear and the next order, a few percent.
  EXPECT_NEAR((4 * fine - coarse) / 3, exact, 0.04 * exact);
}

TEST(Vibrations, a_free_body_has_six_rigid_motions_with_all_the_mass) {
  const std::vector<Vibration> found = find_vibrations(vibrating_bar(1, ""), 3);
  ASSERT_EQ(found.size(), 9u);
  Vec3 rigid = Vec3::Zero(), elastic = Vec3::Zero();
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].rigid, i < 6) << i;
    EXPECT_EQ(found[i].frequency() > 1, i >= 6) << i;
    (i < 6 ? rigid : elastic) += found[i].mass_share;
  }
  EXPECT_LT((rigid - Vec3::Ones()).norm(), 1e-9);
  EXPECT_LT(elastic.norm(), 1e-9);
}

TEST(Vibrations, of_a_shape_under_strong_compression_one_is_unstable) {
  Simulation simulation = vibrating_bar(1, kWall);
  MatrixX3d x = simulation.system->rest_positions();
  x.col(0) *= 0.7;
  simulation.state.q = simulation.system->free_part(x);
  const Vibration slowest = find_vibrations(simulation, 2)[0];
  EXPECT_TRUE(slowest.unstable());
  EXPECT_EQ(slowest.frequency(), 0);
  EXPECT_GT(slowest.omega(), 0);
}

TEST(Vibrations, what_cannot_be_is_refused) {
  try {
    find_vibrations(vibrating_bar(1, R"({"set": "everything"})"), 3);
    FAIL() << "a body that cannot move has no modes";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("held"), std::string::npos) << error.what();
  }
  const Simulation simulation = vibrating_bar(1, kWall);
  EXPECT_THROW(find_vibrations(simulation, 0), Error);
  EXPECT_THROW(find_vibrations(simulation, static_cast<int>(simulation.system->dofs()) + 1), Error);
  EXPECT_EQ(find_vibrations(simulation, static_cast<int>(simulation.system->dofs())).size(),
            static_cast<size_t>(simulation.system->dofs()));
}

}  // namespace
}  // namespace brio

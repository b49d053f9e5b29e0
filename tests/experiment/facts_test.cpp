// What the advisor sees of a scene, against closed forms and against the exact modes.

#include "brio/experiment/advise/facts.hpp"

#include "brio/experiment/advise/spectrum.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/vibrations.hpp"
#include "brio/system/nodal_linearization.hpp"
#include "brio/system/oscillator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double kPi = std::numbers::pi;

/// A chain along x, one bar of springs: n masses m at distance 1, springs k.
Scene chain(int points, double k, double m, const std::string& rest) {
  return parse_scene(
      fmt::format(R"({{"mesh": {{"springs": "spring-rope", "length": {}, "segments": {}, "direction": [1, 0, 0]}},
    "springs": {{"stiffness": {}, "bend_stiffness": 0, "vertex_mass": {}}}, "gravity": [0, 0, 0],
    "integrator": {{"name": "si", "h": 0.01}}, "steps": 10 {}}})",
                  points - 1, points - 1, k, m, rest),
      "chain.json", scene_tables(), {});
}

SceneFacts facts_of(const Scene& scene) { return gather_facts(scene, build_simulation(scene)); }

TEST(AdviseFacts, an_oscillator_has_one_frequency_slowest_and_fastest) {
  const NodalSystem system = oscillator(7);
  NodalLinearization lin(system);
  VectorXd gradient;
  lin.assemble(0, VectorXd::Zero(3), Psd::none, gradient);
  const Spectrum spectrum = estimate_spectrum(lin, system.mass(), false, 12);
  ASSERT_EQ(spectrum.slow.size(), 3u);  // one a direction
  for (double omega : spectrum.slow) EXPECT_NEAR(omega, 7, 1e-9);
  EXPECT_NEAR(spectrum.fastest, 7, 1e-9);
  EXPECT_EQ(spectrum.zero_modes, 0);
}

TEST(AdviseFacts, a_chain_has_the_frequencies_of_a_chain) {
  // omega_j = 2 sqrt(k/m) sin(j pi / (2 n)) for n points with free ends; across, a straight chain has no stiffness.
  constexpr int kPoints = 15;
  const SceneFacts facts = facts_of(chain(kPoints, 300, 0.5, ""));
  const double unit = 2 * std::sqrt(300 / 0.5);
  EXPECT_EQ(facts.zero_modes, 2 * kPoints + 1);  // across, and along as a whole
  ASSERT_EQ(facts.slow.size(), 12u);
  for (int j = 1; j <= 12; ++j) EXPECT_NEAR(facts.slow[j - 1], unit * std::sin(j * kPi / (2 * kPoints)), 1e-6 * unit);
  // Lanczos' space of a body this small is all of it.
  EXPECT_NEAR(facts.fastest, unit * std::sin((kPoints - 1) * kPi / (2 * kPoints)), 1e-6 * unit);
  EXPECT_EQ(facts.carrying_modes(), 0) << "nothing pulls it";
  EXPECT_FALSE(facts.leading());
}

TEST(AdviseFacts, rough_modes_of_a_bar_are_the_exact_ones_within_a_few_per_cent) {
  const Scene scene = load_scene(BRIO_SOURCE_DIR "/scenes/bar-1k.json", scene_tables());
  const Simulation simulation = build_simulation(scene);
  const SceneFacts facts = gather_facts(scene, simulation);
  const std::vector<Vibration> exact = find_vibrations(simulation, 12);
  ASSERT_EQ(facts.slow.size(), 12u);
  for (int i = 0; i < 12; ++i) {
    EXPECT_GE(facts.slow[i], exact[i].omega() * (1 - 1e-6)) << "Rayleigh-Ritz is from above";
    EXPECT_LE(facts.slow[i], exact[i].omega() * 1.03) << i;  // settled to a percent in lambda from round to round
  }
  // Gravity starts the first bending modes and nothing else of weight: with the parts of a cantilever under its own
  // weight, (w_1 / lambda_1)^2, more than nine tenths are in the first of each of the two directions.
  EXPECT_LE(facts.carrying_modes(), 2);
  EXPECT_GE(facts.carrying_modes(), 1);
  EXPECT_NEAR(*facts.leading(), facts.slow[0], 0.2 * facts.slow[0]);
  EXPECT_EQ(facts.zero_modes, 0);
  EXPECT_GT(facts.step_s, 0);
}

TEST(AdviseFacts, a_free_body_has_six_still_directions_and_a_thrown_one_starts_no_mode) {
  const Scene scene =
      parse_scene(R"({"mesh": {"generate": "box", "size": [1, 1, 1], "cells": [3, 3, 3], "tets_per_cell": "6"},
    "materials": [{"law": "corotated", "E": 1e6, "nu": 0.3, "rho": 1000}, {"region": 7, "law": "corotated", "E": 4e6, "nu": 0.3, "rho": 1000}],
    "initial": {"velocity": [3, 1, 0]},
    "integrator": {"name": "si", "h": 0.01}, "steps": 10})",
                  "box.json", scene_tables(), {});
  const SceneFacts facts = facts_of(scene);
  EXPECT_EQ(facts.zero_modes, 6);
  EXPECT_EQ(facts.free_pieces, 1);
  EXPECT_EQ(facts.carrying_modes(), 0);
  EXPECT_DOUBLE_EQ(facts.stiffness_ratio, 4);
}

TEST(AdviseFacts, what_si_loses_in_a_swing_is_its_closed_form) {
  // (1 + z^2)^(-1/2) a step in amplitude, 2 pi / z steps a swing, energy as its square.
  for (double z : {0.01, 0.3, 2.0})
    EXPECT_NEAR(*SceneFacts::loss_per_period("si", z), 1 - std::pow(1 + z * z, -2 * kPi / z), 1e-12);
  EXPECT_NEAR(*SceneFacts::loss_per_period("im", 0.3), 0, 1e-12);
}

}  // namespace
}  // namespace brio

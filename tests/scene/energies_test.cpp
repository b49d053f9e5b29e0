// Energies that a scene names: a body in a harmonic well against the closed form.

#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

/// A bar that nothing else acts on, let go at rest with its center of mass at (0.2, 0.05, 0.05).
std::string bar_in_a_well(const std::string& well) {
  return R"({"mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1, "tets_per_cell": "6"},
    "materials": [{"law": "corotated", "E": 1e6, "nu": 0.3, "rho": 1000}],
    "sets": {"left": {"select": "extreme", "axis": "x", "side": "min"}},
    "gravity": [0, 0, 0], "energies": [)" +
         well + R"(],
    "integrator": {"name": "im", "h": 0.002}, "duration": 0.5})";
}

Vec3 mean_place(const Simulation& simulation) {
  MatrixX3d x;
  simulation.system->positions(simulation.state.t, simulation.state.q, x);
  const VectorXd& mass = simulation.system->vertex_mass();
  return x.transpose() * mass / mass.sum();
}

TEST(Energies, center_of_mass_swings_in_a_harmonic_well) {
  const Scene scene = parse_scene(bar_in_a_well(R"({"kind": "harmonic", "frequency": 2, "center": [1, 0, 0]})"),
                                  "well.json", scene_tables());
  Simulation simulation = build_simulation(scene);
  EXPECT_TRUE(simulation.held);
  const Vec3 start = mean_place(simulation), center(1, 0, 0);
  double worst = 0, drift = 0, first = std::nan("");
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    // All vertices have the same m omega^2 / m, so the center of mass obeys X'' = -omega^2 (X - c) exactly.
    const Vec3 expected = center + std::cos(4 * std::numbers::pi * record.time) * (start - center);
    worst = std::max(worst, (mean_place(simulation) - expected).norm());
    if (record.step == 0) first = record.total();
    drift = std::max(drift, std::fabs(record.total() - first));
  };
  ASSERT_EQ(run(simulation, listener).status, RunStatus::finished);
  // The midpoint rule's relative error of the phase is (omega h)^2 / 12 = 5.3e-5 of 2 pi after one period.
  EXPECT_LT(worst, 1.2 * 5.3e-5 * 2 * std::numbers::pi * (start - center).norm());
  EXPECT_GT(worst, 0.5 * 5.3e-5 * 2 * std::numbers::pi * (start - center).norm());
  EXPECT_LT(drift, 1e-3 * first);
}

TEST(Energies, act_on_their_set_alone) {
  const Scene scene =
      parse_scene(bar_in_a_well(R"({"kind": "harmonic", "frequency": 2, "set": "left"})"), "well.json", scene_tables());
  const Simulation simulation = build_simulation(scene);
  const NodalSystem& system = *simulation.system;
  double expected = 0;
  for (int v : simulation.sets.at("left"))
    expected += 0.5 * system.vertex_mass()[v] * std::pow(4 * std::numbers::pi, 2) *
                system.rest_positions().row(v).squaredNorm();
  EXPECT_GT(expected, 0);
  EXPECT_NEAR(system.potentials(0, system.rest()).elastic, expected, 1e-12 * expected);
}

}  // namespace
}  // namespace brio

// Parts of a spring net that are softer or stiffer than the rest.

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/simulation.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

/// Four springs of 1 m in a row, 100 N/m each.
Simulation rope(const std::string& patches) {
  const std::string text = R"({"mesh": {"springs": "spring-rope", "length": 4, "segments": 4},
    "springs": {"stiffness": 100, "bend_stiffness": 0, "vertex_mass": 1, "patches": [)" +
                           patches + R"(]},
    "sets": {"end": {"select": "indices", "indices": [2, 3, 4]}, "tip": {"select": "indices", "indices": [3, 4]}},
    "gravity": [0, 0, 0], "integrator": {"name": "si", "h": 0.01}, "steps": 1})";
  return build_simulation(parse_scene(text, "rope.json", scene_tables()));
}

/// Every spring stretched by 0.1 m stores k / 2 * 0.01 J.
double stretched_energy(const Simulation& simulation) {
  const MatrixX3d x = 1.1 * simulation.system->rest_positions();
  return simulation.system->potentials(0, simulation.system->free_part(x)).elastic;
}

TEST(SpringPatches, change_the_springs_with_both_ends_inside) {
  EXPECT_NEAR(stretched_energy(rope("")), 0.005 * 400, 1e-12);
  EXPECT_NEAR(stretched_energy(rope(R"({"set": "end", "factor": 0.1})")), 0.005 * (200 + 20), 1e-12);
  // Where two share a spring, the later one wins.
  EXPECT_NEAR(stretched_energy(rope(R"({"set": "end", "factor": 0.1}, {"set": "tip", "factor": 2})")),
              0.005 * (200 + 10 + 200), 1e-12);
}

TEST(SpringPatches, refuse_what_makes_no_sense) {
  EXPECT_THROW(rope(R"({"set": "nowhere", "factor": 0.1})"), Error);
  EXPECT_THROW(rope(R"({"set": "end", "factor": 0})"), Error);
  EXPECT_THROW(rope(R"({"set": "end"})"), Error);
}

}  // namespace
}  // namespace brio

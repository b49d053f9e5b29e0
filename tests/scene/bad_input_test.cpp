// Values that no simulation can do anything with are refused before it begins, by the key that they stand under.

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/simulation.hpp"
#include "brio/scene/step_times.hpp"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

std::string refusal_of(const std::string& set) {
  const std::string scene = R"({
    "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1, "tets_per_cell": "6"},
    "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
    "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}}, "constraints": [{"set": "wall"}],
    "integrator": {"name": "si", "h": 0.01}, "steps": 20})";
  try {
    build_simulation(parse_scene(scene, "scene.json", scene_tables(), {set}));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_refusal(const std::string& set, const std::string& words) {
  EXPECT_NE(refusal_of(set).find(words), std::string::npos) << set << ": " << refusal_of(set);
}

TEST(BadInput, names_the_key_and_what_would_do) {
  expect_refusal("steps=1e18", "steps = 1e+18: expected a whole number >= 1 and <= 2147483647");
  EXPECT_EQ(refusal_of("steps=2000000000"), "") << "memory does not depend on it";
  expect_refusal("initial.velocity=[1e308,0,0]", "initial.velocity = [1e+308, 0, 0]: too large");
  expect_refusal("initial.angular_velocity=[0,1e200,0]", "initial.angular_velocity = [0, 1e+200, 0]: too large");
  const std::string motion = R"(constraints=[{"set": "wall", "motion": "translate", "velocity": [0, 1, 0], )";
  expect_refusal(motion + R"("start": 2, "stop": 1}])", "constraints[0]: stop = 1 is before start = 2");
  EXPECT_EQ(refusal_of(motion + R"("start": 1, "stop": 2}])"), "");
}

TEST(BadInput, names_do_not_command_the_terminal) {
  const std::string scene =
      R"({"name": "red\u001b[31m", "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "tets_per_cell": "6"},
    "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}], "integrator": {"name": "si", "h": 0.01}, "steps": 1})";
  EXPECT_EQ(parse_scene(scene, "scene.json", scene_tables()).name, "red\\x1b[31m");
}

/// Counts by length give the quantiles of the lengths themselves to half a percent, however many there are.
TEST(StepTimes, quantiles_of_any_number_of_steps) {
  std::mt19937 random(3);
  std::lognormal_distribution<double> lengths(1, 2);
  std::vector<double> all;
  StepTimes times;
  EXPECT_EQ(times.quantile(0.5), 0);
  for (int i = 0; i < 20'000; ++i) times.add(all.emplace_back(lengths(random)));
  std::sort(all.begin(), all.end());
  for (double q : {0.0, 0.05, 0.5, 0.95, 0.999}) {
    const double exact = all[static_cast<size_t>(q * static_cast<double>(all.size() - 1))];
    EXPECT_NEAR(times.quantile(q), exact, 0.006 * exact) << q;
  }
  EXPECT_EQ(times.quantile(1), all.back());
  EXPECT_NEAR(times.sum(), std::accumulate(all.begin(), all.end(), 0.0), 1e-9 * times.sum());
}

}  // namespace
}  // namespace brio

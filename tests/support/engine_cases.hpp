#pragma once
// Scenes and methods by which engines are held against a factorization.

#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/vibrations.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brio::testing {

using Overrides = std::vector<std::string>;
Overrides with(Overrides overrides, const Overrides& more);

/// A small bar in a wall.
Simulation bar(const Overrides& overrides);
/// One of scenes/.
Simulation scene(const std::string& name, const Overrides& overrides);
/// Across its vertices at rest [m].
double size_of(const Simulation& simulation);

struct End {
  VectorXd q, v;
  RunResult result;
};
End run_to_end(Simulation simulation);

/// How far two ends are apart, as a share of the way from rest of the first.
double apart(const End& a, const End& b, const VectorXd& rest);

/// How far the linear momentum of a free, spinning and stretched bar drifts at a tolerance of 1e-3, over its mass [m/s].
double drift_of_momentum(const std::string& engine);

/// Those that solve with a matrix of each step, or of all kinds.
std::vector<std::string> factoring_methods();
/// What a solve is off by is carried on by the steps, and grows with the motion: by less than so much on the bar.
inline constexpr double kGrowth = 100;

struct EngineCase {
  std::string name;
  std::function<Simulation(const Overrides&)> make;
  int steps;
};
/// Held and free, alone and several, in contact, cut, of springs, of two materials and nearly incompressible.
const std::vector<EngineCase>& engine_cases();

/// Square across, so that bending modes come in pairs; the same with its six rigid motions; two bodies.
const std::vector<std::function<Simulation(const Overrides&)>>& bodies_with_modes();
/// Their lambda within 1e-8, and their shapes, up to a sign, where they stand alone.
void expect_same_modes(const std::vector<Vibration>& one, const std::vector<Vibration>& other);

}  // namespace brio::testing

#pragma once
// Properties of a scene that decide which method suits it: size, spectrum, stiffness, contact, cost of a step.

#include "brio/scene/simulation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brio {

struct SceneFacts {
  int vertices = 0, elements = 0;
  std::string element_name;
  std::vector<std::string> bodies;  ///< where there are several, what each of them is
  double h = 0;                     ///< [s]
  double duration = 0;              ///< [s]
  std::string integrator;

  int free_pieces = 0;
  double spin = 0;  ///< of the start [rad/s]
  bool solid = false, bones = false, condensed = false;
  bool contact = false, friction = false;  ///< whether there are obstacles, and whether any has friction
  bool later = false;                      ///< supports, obstacles, loads or cuts that act after the start
  double stiffness_ratio = 1;              ///< of the stiffest material to the softest
  double damping_beta = 0;                 ///< of Rayleigh's damping [s]

  std::vector<double> slow;           ///< the slowest vibrations of the initial shape [rad/s]; empty where unknown
  std::vector<double> initial_share;  ///< of each, its share of the energy that the initial state has in these modes
  int zero_modes = 0;                 ///< directions without stiffness among those seen
  int unstable = 0;                   ///< directions in which the initial shape buckles, among those seen
  double fastest = 0;                 ///< [rad/s]; 0 where unknown

  double build_s = 0;      ///< to build the scene
  double step_s = 0;       ///< a step of the yardstick
  double force_s = 0;      ///< energy and forces once
  bool projected = false;  ///< whether the yardstick's first steps met indefinite stiffness
  bool si_fails = false;   ///< whether one of them failed

  /// The mode that starts with the most energy [rad/s]; nothing where the start makes none of the modes swing.
  std::optional<double> leading() const;
  /// The fewest of the slow modes that start with nine tenths of their energy; 0 where the start makes none swing.
  int carrying_modes() const;
  /// The part of its energy that a vibration loses in one swing to the method itself, in closed form. Nothing for
  /// methods that have none.
  static std::optional<double> loss_per_period(const std::string& integrator, double h_omega);
};

/// The method whose steps the others are measured by: one linear solve each.
const IntegratorEntry& yardstick();

/// Takes a few steps of the yardstick on a copy of the state. Throws Error when the forces are not finite.
SceneFacts gather_facts(const Scene& scene, const Simulation& simulation);

/// The facts in words, a line each.
std::vector<std::string> describe(const SceneFacts& facts);

}  // namespace brio

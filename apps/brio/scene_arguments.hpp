#pragma once
// The arguments that commands share: which scene, what to change in it, how many threads.

#include "brio/scene/simulation.hpp"

#include "command_line.hpp"
#include <optional>
#include <string>
#include <vector>

namespace brio {

struct SceneArguments {
  std::string file;
  std::vector<std::string> set;  ///< "key.path=value"
  std::optional<std::string> engine;
  std::optional<std::string> integrator;  ///< "ksiere:cut=3"
  std::optional<int> steps;

  void add_to(CommandLine& command);
  /// Options of commands that have the scene stepped by one method.
  void add_method_to(CommandLine& command);
  /// All values that are put in place of the scene's.
  std::vector<std::string> overrides() const;
  Scene load() const;
};

/// Loads the engine's library where it has one of its own. Throws Error where that is not here, and where ranks have
/// read different scenes.
void make_ready(const Scene& scene);

/// How many threads brio uses.
void add_threads_option(CommandLine& command, int& threads);

/// "1,225 vertices, 5,184 tetrahedra"
std::string describe_body(const Simulation& simulation);
/// One line for each body of a scene with "bodies"; none for others.
std::vector<std::string> describe_bodies(const Simulation& simulation);

/// "1,225 vertices, 5,184 tetrahedra, 200 steps of 0.01 s with si"
std::string describe(const Scene& scene, const Simulation& simulation);

}  // namespace brio

#pragma once
// The "condensation" section of a scene made ready: which vertices are dynamic, and the integrator that drives them.

#include "brio/scene/simulation.hpp"
#include "brio/scene/vertex_sets.hpp"

namespace brio {

/// What nodes are chosen from.
struct NodeSource {
  const NodalSystem& system;
  const VertexSets& sets;
  const State& start;
  std::vector<char> led;  ///< per vertex, whether a support or a bone leads it
  int body;               ///< vertices that are not bones' own; these come last
};

struct NodeChooserEntry : Entry {
  std::function<std::vector<int>(const Options&, const NodeSource&)> choose;
  std::function<std::vector<std::string>(const Options&)> used_sets = {};  ///< sets that it chooses from; may be empty
  std::function<int(const Options&)> wanted = {};  ///< how many nodes are asked for; empty: as many as it finds
};

/// Every way to choose dynamic nodes, in the order in which `brio list` shows them.
const std::vector<NodeChooserEntry>& node_choosers();

/// Chooses the nodes of scene.condensation, solves for the quasistatic start where that is asked for, and makes the
/// integrator. What had to be added or did not work out goes to the notes of the simulation, which has all but its
/// integrator. Throws Error, naming them, for nodes that are supported or given twice.
void condense(const Scene& scene, Simulation& simulation);

/// Mean length of the edges between free vertices at rest [m]; 0 where there are none.
double mean_edge_length(const NodalSystem& system);

}  // namespace brio

#pragma once
// Builds the "condensation" section of a scene: which vertices are dynamic, and the integrator that drives them.

#include "brio/scene/simulation.hpp"
#include "brio/scene/vertex_sets.hpp"

namespace brio {

/// Input of the node choosers.
struct NodeSource {
  const NodalSystem& system;
  const VertexSets& sets;
  const State& start;
  std::vector<char> prescribed;  ///< per vertex, whether a support or a bone prescribes its motion
  int body;                      ///< number of vertices that do not belong to bones; those of bones come last
};

struct NodeChooserEntry : Entry {
  std::function<std::vector<int>(const Options&, const NodeSource&)> choose;
  std::function<std::vector<std::string>(const Options&)> used_sets = {};  ///< sets that it chooses from; may be empty
  std::function<int(const Options&)> wanted = {};  ///< how many nodes are asked for; empty: as many as it finds
};

/// Every way to choose dynamic nodes, in the order in which `brio list` shows them.
const std::vector<NodeChooserEntry>& node_choosers();

/// Chooses the nodes of scene.condensation, solves for the quasistatic start where that is asked for, and makes the
/// integrator. Nodes that had to be added and problems of the start go to the notes of the simulation, which is
/// complete but for its integrator. Throws Error, naming them, for nodes that are supported or given twice.
void condense(const Scene& scene, Simulation& simulation);

/// Mean length of the edges between free vertices at rest [m]; 0 where there are none.
double mean_edge_length(const NodalSystem& system);

}  // namespace brio

#include "brio/scene/condensation.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/integrate/methods/condensed.hpp"
#include "brio/optimize/relax.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/system/anchors.hpp"
#include "brio/system/bone_linearization.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brio {
namespace {

constexpr size_t kNamed = 5;  // offenders that a message names

std::string named(const std::vector<int>& vertices) {
  const size_t shown = std::min(kNamed, vertices.size());
  const std::vector<int> first(vertices.begin(), vertices.begin() + static_cast<long>(shown));
  return fmt::format("{}{}", joined(first, ", "), vertices.size() > shown ? ", …" : "");
}

/// Per vertex, whether a support or a bone prescribes its motion.
std::vector<char> prescribed_vertices(const Simulation& simulation) {
  std::vector<char> prescribed(simulation.system->vertices(), 0);
  for (int v = 0; v < simulation.system->vertices(); ++v) prescribed[v] = simulation.system->supported(v);
  if (simulation.bones)
    for (int v : simulation.bones->vertices()) prescribed[v] = 1;
  return prescribed;
}

void refuse_unfit(const std::vector<char>& prescribed, const std::vector<int>& nodes, const std::string& path) {
  std::vector<int> not_free, twice;
  std::set<int> seen;
  for (int vertex : nodes) {
    if (prescribed[vertex]) not_free.push_back(vertex);
    if (!seen.insert(vertex).second) twice.push_back(vertex);
  }
  if (!not_free.empty())
    throw Error(
        "{}: vertex {} cannot be a dynamic node, for a constraint or a bone leads it; choose vertices that move freely",
        path, named(not_free));
  if (!twice.empty()) throw Error("{}: vertex {} is chosen twice; name each once", path, named(twice));
}

RelaxReport settle(const System& system, PinnableLinearization& lin, const std::vector<int>& nodes, State& state) {
  std::vector<int> held;
  for (int vertex : nodes) held.push_back(lin.point_of(vertex));
  return relax(system, lin, state.t, held, {}, state.q);
}

/// Brings the quasistatic vertices to rest, with the nodes and the bones held.
void solve_start(Simulation& simulation) {
  RelaxReport report;
  if (simulation.bones) {
    BoneChart chart(*simulation.system, simulation.bones);
    State local = chart.enter(simulation.state);
    BoneLinearization lin(chart);
    report = settle(chart, lin, simulation.dynamic_nodes, local);
    chart.leave(local, simulation.state);
  } else {
    NodalLinearization lin(*simulation.system);
    report = settle(*simulation.system, lin, simulation.dynamic_nodes, simulation.state);
  }
  if (!report.converged)
    simulation.notes.push_back(
        fmt::format("condensation.initial: the quasistatic vertices are not quite at rest at the start, after {} "
                    "iterations; the steps bring them there",
                    report.iterations));
}

std::shared_ptr<const StretchRate> regions_of(const Simulation& simulation, const std::vector<int>& nodes) {
  const TetMesh mesh = simulation.tetrahedra();
  if (mesh.tets() == 0)
    throw Error("condensation.adaptive: only a body of tetrahedra has regions; leave it out for a spring net");
  return std::make_shared<StretchRate>(mesh.X, mesh.T, nearest_regions(mesh.X, mesh.T, nodes),
                                       static_cast<int>(nodes.size()));
}

}  // namespace

void condense(const Scene& scene, Simulation& simulation) {
  const CondensationSpec& spec = *scene.condensation;
  const NodalSystem& system = *simulation.system;
  const IntegratorEntry& method = find_row(integrators(), "integrator", scene.integrator.name);
  if (!method.restartable)
    throw Error(
        "integrator.name = {}: it remembers past steps in coordinates that a condensed body has only for one step; "
        "take one of {}, or leave out \"condensation\"",
        scene.integrator.name, restartable_integrators());
  DynamicNodes nodes;
  const std::vector<char> prescribed = prescribed_vertices(simulation);
  const int body = simulation.bones ? simulation.bones->first() : system.vertices();
  const std::string path = spec.nodes.path;
  const NodeChooserEntry& chooser = find_row(node_choosers(), path, spec.nodes.name);
  try {
    nodes.chosen = chooser.choose(spec.nodes.options, {system, simulation.sets, simulation.state, prescribed, body});
  } catch (const Error& error) {
    throw Error("{}: {}", path, error.what());
  }
  refuse_unfit(prescribed, nodes.chosen, path);
  if (const int wanted = chooser.wanted ? chooser.wanted(spec.nodes.options) : 0;
      static_cast<int>(nodes.chosen.size()) < wanted)
    simulation.notes.push_back(
        fmt::format("{}: {} nodes instead of {}: there is no room for more", path, nodes.chosen.size(), wanted));
  const std::vector<int> added = missing_anchors(system, nodes.chosen, prescribed);
  if (!added.empty())
    simulation.notes.push_back(fmt::format(
        "{}: a piece of the body that nothing holds needs three dynamic nodes that are not in a line; vertex {} {} "
        "added",
        path, named(added), added.size() == 1 ? "is" : "are"));
  if (spec.adaptive) {
    nodes.anchors = lasting_anchors(system, nodes.chosen, prescribed);
    std::erase_if(nodes.chosen,
                  [&](int vertex) { return std::count(nodes.anchors.begin(), nodes.anchors.end(), vertex); });
  } else {
    nodes.anchors = added;
  }
  simulation.dynamic_nodes = nodes.chosen;
  simulation.dynamic_nodes.insert(simulation.dynamic_nodes.end(), nodes.anchors.begin(), nodes.anchors.end());
  if (spec.initial && simulation.state.t == 0) solve_start(simulation);

  CondensationOptions options;
  options.gamma = spec.gamma;
  options.newton = spec.newton;
  options.stepping = method.condensed ? method.condensed(scene.integrator.options) : CondensedStepping{};
  std::shared_ptr<const StretchRate> regions;
  if (spec.adaptive) {
    options.adaptive = AdaptiveOptions{spec.adaptive->threshold, spec.adaptive->window, spec.adaptive->hysteresis};
    regions = regions_of(simulation, nodes.chosen);
    simulation.adaptive_nodes = nodes.chosen;
    const TetMesh mesh = simulation.tetrahedra();
    simulation.node_region = nearest_centers(mesh.X, mesh.T, nodes.chosen);
    simulation.node_region.resize(system.vertices(), -1);  // those of bones
  }
  simulation.integrator = std::make_unique<CondensedIntegrator>(
      [item = scene.integrator] { return make_item(integrators(), item); }, options, std::move(nodes), regions);
}

double mean_edge_length(const NodalSystem& system) {
  const BlockPattern& pattern = *system.pattern();
  const auto place = [&](int point) { return system.rest_positions().row(system.vertex_of(point)); };
  double sum = 0;
  for (int column = 0; column < pattern.blocks_per_side; ++column)
    for (int slot = pattern.column_begin[column] + 1; slot < pattern.column_begin[column + 1]; ++slot)
      sum += (place(pattern.row[slot]) - place(column)).norm();
  const int edges = pattern.slots() - pattern.blocks_per_side;
  return edges > 0 ? sum / edges : 0;
}

}  // namespace brio

#include "brio/experiment/converge/mesh_convergence.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/scene/quasistatic.hpp"
#include "brio/scene/vibrations.hpp"

#include <cmath>

namespace brio {
namespace {

/// Positions before and after the body came to rest.
struct Rest {
  MatrixX3d before, after;
  double elastic;  // [J]
};

Rest come_to_rest(Simulation& simulation) {
  Rest rest;
  simulation.system->positions(simulation.state.t, simulation.state.q, rest.before);
  const QuasistaticResult result = solve_quasistatic(simulation, simulation.state.t, {}, {});
  if (result.solve.status != StaticStatus::converged) throw Error("no shape at rest was found: {}", result.message);
  simulation.system->positions(simulation.state.t, simulation.state.q, rest.after);
  rest.elastic = result.potentials.elastic;
  return rest;
}

double deflection(Simulation& simulation) {
  if (simulation.probe.empty())
    throw Error("output.probe: the quantity \"tip\" is its displacement; name the set to look at");
  const Rest rest = come_to_rest(simulation);
  return (rest.after - rest.before)(simulation.probe, Eigen::all).colwise().mean().norm();
}

double first_frequency(Simulation& simulation) {
  for (const Vibration& vibration : find_vibrations(simulation, 1))
    if (!vibration.rigid) return vibration.frequency();
  throw Error("there is no elastic mode");
}

double largest_stress(Simulation& simulation) {
  const std::optional<BodyStress> stress = simulation.stress(come_to_rest(simulation).after);
  if (!stress) throw Error("only bodies of tetrahedra have stress");
  return stress->element.von_mises.maxCoeff();
}

}  // namespace

const std::vector<MeshQuantity>& mesh_quantities() {
  static const std::vector<MeshQuantity> rows = {
      {{"tip", "how far the probe moves until the body is at rest", {}}, "m", deflection},
      {{"energy", "elastic energy of the body at rest", {}},
       "J",
       [](Simulation& simulation) { return come_to_rest(simulation).elastic; }},
      {{"frequency", "of the slowest elastic mode", {}}, "Hz", first_frequency},
      {{"stress", "largest von Mises stress of an element at rest; has no limit at an edge that is held", {}},
       "Pa",
       largest_stress},
  };
  return rows;
}

void extrapolate(MeshCurve& curve) {
  curve.limit.reset();
  curve.rate.reset();
  const size_t n = curve.levels.size();
  if (n < 3) return;
  const double a = curve.levels[n - 3].value, b = curve.levels[n - 2].value, c = curve.levels[n - 1].value;
  const double factor = (b - a) / (c - b);
  if (!(factor > 1)) return;  // they do not settle
  curve.rate = std::log2(factor);
  // Below the first power more would be left than the last mesh has brought: these meshes are too coarse to say where.
  if (*curve.rate >= 1) curve.limit = c + (c - b) / (factor - 1);
}

std::vector<MeshCurve> study_meshes(const Scene& scene, const MeshQuantity& quantity, int levels, int most_vertices,
                                    const std::function<void(const MeshCurve&)>& on_level) {
  std::vector<MeshCurve> curves;
  for (const int order : {1, 2}) {
    MeshCurve& curve = curves.emplace_back();
    curve.order = order;
    for (int level = 0; level < levels; ++level) {
      Scene finer = scene;
      for (BodySpec& body : finer.bodies) {
        if (body.mesh.source == MeshSpec::Source::springs || body.mesh.source == MeshSpec::Source::none) continue;
        body.mesh.order = order;
        body.mesh.refine += level;
      }
      Simulation simulation = build_simulation(finer);
      if (level > 0 && simulation.vertices() > most_vertices) break;
      Stopwatch watch;
      MeshLevel found{level, simulation.vertices(), simulation.elements(), 0, 0};
      found.value = quantity.measure(simulation);
      found.seconds = watch.lap();
      curve.levels.push_back(found);
      extrapolate(curve);
      if (on_level) on_level(curve);
    }
  }
  return curves;
}

}  // namespace brio

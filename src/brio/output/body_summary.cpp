#include "brio/output/body_summary.hpp"

namespace brio {

std::vector<BodySummary> summarize_bodies(const Simulation& simulation, const BodySeries& series) {
  std::vector<BodySummary> all;
  for (size_t b = 0; b < series.bodies(); ++b) {
    const Body& body = simulation.bodies[b];
    all.push_back(
        {body.name, 0, body.elements(), body.element_name(), 0, series.initial_energy(b), series.final_energy(b)});
  }
  if (all.empty()) return all;
  for (int v = 0; v < simulation.vertices(); ++v) {
    BodySummary& body = all[simulation.body_of_vertex[v]];
    ++body.vertices;
    body.mass += simulation.system->vertex_mass()[v];
  }
  return all;
}

Json to_json(const BodySummary& body) {
  return {{"name", body.name},
          {"vertices", body.vertices},
          {"elements", body.elements},
          {"element_name", body.element_name},
          {"mass_kg", body.mass},
          {"initial_energy_J", body.initial_energy},
          {"final_energy_J", body.final_energy}};
}

}  // namespace brio

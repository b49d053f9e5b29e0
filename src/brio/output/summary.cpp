#include "brio/output/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace brio {

RunSummary summarize(const Simulation& simulation, const RunResult& result) {
  const double per_step = 1e3 / std::max(1, result.steps);
  RunSummary summary;
  summary.integrator = simulation.integrator_name;
  summary.vertices = simulation.vertices();
  summary.elements = simulation.elements();
  summary.h = simulation.h;
  summary.steps = result.steps;
  summary.status = to_string(result.status);
  summary.message = result.message;
  summary.wall_s = result.wall_s;
  summary.step_ms_median = result.step_ms_quantile(0.5);
  summary.step_ms_p95 = result.step_ms_quantile(0.95);
  summary.step_ms_max = result.step_ms_quantile(1);
  summary.phase_ms = {{"assembly", per_step * result.time.assembly},
                      {"factor", per_step * result.time.factor},
                      {"solve", per_step * result.time.solve},
                      {"other", per_step * result.time.other},
                      {"bookkeeping", per_step * result.bookkeeping_s}};
  summary.factorizations = result.factorizations;
  summary.solves = result.solves;
  summary.projections = result.projections;
  summary.shifts = result.shifts;
  summary.iterations = result.iterations;
  summary.halvings = result.halvings;
  summary.unconverged = result.unconverged;
  summary.substeps = result.substeps;
  summary.matvecs = result.matvecs;
  summary.modes = result.modes;
  summary.mode_iterations = result.mode_iterations;
  summary.woodbury_updates = result.woodbury_updates;
  summary.dynamic_nodes = result.dynamic_nodes;
  summary.switches = result.switches;
  summary.exponential_error = result.exponential_error;
  summary.blended = result.blended;
  summary.mean_blend = result.mean_blend;
  summary.exponential_method = result.exponential_method;
  summary.initial_energy = result.initial_energy;
  summary.final_energy = result.final_energy;
  summary.max_energy = result.max_energy;
  summary.peak_rss_mb = result.peak_rss_mb;
  for (const CutReport& cut : result.cuts) summary.cuts.push_back(cut.text());
  return summary;
}

nlohmann::ordered_json to_json(const RunSummary& s) {
  auto phases = nlohmann::ordered_json::object();
  for (const auto& [name, ms] : s.phase_ms) phases[name] = ms;
  nlohmann::ordered_json json = {
      {"integrator", s.integrator},
      {"vertices", s.vertices},
      {"elements", s.elements},
      {"h", s.h},
      {"steps", s.steps},
      {"status", s.status},
      {"message", s.message},
      {"wall_s", s.wall_s},
      {"step_ms", {{"median", s.step_ms_median}, {"p95", s.step_ms_p95}, {"max", s.step_ms_max}}},
      {"phase_ms", phases},
      {"factorizations", s.factorizations},
      {"solves", s.solves},
      {"projections", s.projections},
      {"shifts", s.shifts},
      {"iterations", s.iterations},
      {"halvings", s.halvings},
      {"unconverged", s.unconverged},
      {"substeps", s.substeps},
      {"matvecs", s.matvecs},
      {"modes", s.modes},
      {"mode_iterations", s.mode_iterations},
      {"woodbury_updates", s.woodbury_updates},
      {"dynamic_nodes", s.dynamic_nodes},
      {"switches", s.switches},
      {"exponential_error", s.exponential_error},
      {"blended", s.blended},
      {"mean_blend", s.mean_blend},
      {"exponential_method", s.exponential_method},
      {"energy", {{"initial", s.initial_energy}, {"final", s.final_energy}, {"max", s.max_energy}}},
      {"peak_rss_mb", s.peak_rss_mb},
  };
  if (!s.cuts.empty()) json["cuts"] = s.cuts;
  for (const BodySummary& body : s.bodies) json["bodies"].push_back(to_json(body));
  return json;
}

}  // namespace brio

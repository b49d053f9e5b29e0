#pragma once
// The numbers of a whole run, as summary.json and the report page show them.

#include "brio/output/body_summary.hpp"
#include "brio/scene/run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace brio {

struct RunSummary {
  std::string integrator;
  int vertices = 0, elements = 0;
  double h = 0;  ///< [s]
  int steps = 0;
  std::string status;   ///< "finished", "diverged" or "interrupted"
  std::string message;  ///< when it did not finish: what happened and what to try
  double wall_s = 0;
  double step_ms_median = 0, step_ms_p95 = 0, step_ms_max = 0;
  std::vector<std::pair<std::string, double>> phase_ms;  ///< mean per step
  int factorizations = 0, solves = 0, projections = 0, shifts = 0;
  int iterations = 0, halvings = 0, unconverged = 0;
  int substeps = 0, matvecs = 0;
  int modes = 0, mode_iterations = 0, woodbury_updates = 0;
  int dynamic_nodes = 0, switches = 0;  ///< of a condensed body: in the last step, and in all
  double exponential_error = 0;
  int blended = 0;
  double mean_blend = 0;
  std::string exponential_method;                               ///< of the exponential, where there is one
  double initial_energy = 0, final_energy = 0, max_energy = 0;  ///< [J]
  double peak_rss_mb = 0;
  std::vector<std::string> cuts = {};    ///< what each of them did
  std::vector<BodySummary> bodies = {};  ///< of a scene with "bodies"
};

RunSummary summarize(const Simulation& simulation, const RunResult& result);
nlohmann::ordered_json to_json(const RunSummary& summary);

}  // namespace brio

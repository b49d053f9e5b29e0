#pragma once
// The numbers of a whole run, as summary.json and the report page show them.

#include "brio/core/json.hpp"
#include "brio/output/body_summary.hpp"
#include "brio/scene/run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace brio {

struct RunSummary {
  std::string integrator;
  int vertices = 0, elements = 0;
  double h = 0;  ///< [s]
  int steps = 0;
  std::string status;                  ///< "finished", "doubtful" (finished as well), "diverged" or "interrupted"
  std::string message;                 ///< when it is not simply finished: what happened and what to try
  std::vector<StepShare> shares = {};  ///< of its steps in which something happened that nobody asked for
  double wall_s = 0;
  double step_ms_median = 0, step_ms_p95 = 0, step_ms_max = 0;
  std::vector<std::pair<std::string, double>> phase_ms;         ///< mean per step
  StepWork work;                                                ///< of all steps
  double initial_energy = 0, final_energy = 0, max_energy = 0;  ///< [J]
  double peak_rss_mb = 0;
  std::vector<std::string> cuts = {};    ///< what each of them did
  std::vector<BodySummary> bodies = {};  ///< of a scene with "bodies"

  /// All steps, to be believed or not.
  bool finished() const { return status == "finished" || status == "doubtful"; }
};

RunSummary summarize(const Simulation& simulation, const RunResult& result);
Json to_json(const RunSummary& summary);

/// The counters that every method shares, and all declared extras that a run has one value of, by name. What the method
/// does not know is 0, or "" where it is a choice.
Json to_json(const StepWork& work);

}  // namespace brio

#pragma once
// The numbers of each body after a run, for summary.json and pages.

#include "brio/core/json.hpp"
#include "brio/output/body_series.hpp"
#include "brio/scene/simulation.hpp"

namespace brio {

struct BodySummary {
  std::string name;
  int vertices = 0, elements = 0;
  std::string element_name;                     ///< "tetrahedra", "springs" or "bones"
  double mass = 0;                              ///< [kg]
  double initial_energy = 0, final_energy = 0;  ///< total [J]
};

/// Empty in a scene without "bodies".
std::vector<BodySummary> summarize_bodies(const Simulation& simulation, const BodySeries& series);
Json to_json(const BodySummary& body);

}  // namespace brio

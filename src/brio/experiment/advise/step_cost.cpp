#include "brio/experiment/advise/step_cost.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/diagnose/damping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace brio {
namespace {

std::unique_ptr<Integrator> method_of(const Candidate& candidate, const Simulation& simulation) {
  const Item& own = simulation.scene->integrator;
  if (candidate.own) return find_row(integrators(), "integrator", own.name).make(own.options);
  std::string text = candidate.integrator["name"].get<std::string>();
  for (const auto& [key, value] : candidate.integrator.items())
    if (key != "name") text += fmt::format(":{}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
  return parse_method(text).make();
}

}  // namespace

void estimate_step_cost(const Simulation& simulation, const SceneFacts& facts, double seconds,
                        std::vector<Candidate>& candidates) {
  constexpr int kMostSteps = 4;
  Stopwatch clock;
  double gone = 0;
  for (Candidate& candidate : candidates) {
    if (facts.bones || candidate.dynamic_nodes > 0 || (candidate.own && facts.condensed)) continue;
    // A slow first step says nothing about the others and may take all the time there is.
    const std::string name = candidate.own ? facts.integrator : candidate.integrator["name"].get<std::string>();
    if (find_row(integrators(), "integrator", name).slow_start) continue;
    if ((gone += clock.lap()) > seconds) break;
    const std::unique_ptr<Integrator> method = method_of(candidate, simulation);
    try {
      method->prepare(*simulation.system);
    } catch (const Error&) {  // a method that is not for this body says so again in its trial
      continue;
    }
    State state = simulation.state;
    const double share = seconds / static_cast<double>(candidates.size());
    double spent = 0, least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMostSteps && (i == 0 || spent < share); ++i) {
      Stopwatch watch;
      if (method->step(state, facts.h).status != StepStatus::ok) break;
      const double lap = watch.lap();
      spent += lap;
      least = std::min(least, lap);
    }
    if (spent > 0) candidate.relative_cost = least / facts.step_s;
  }
  const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.relative_cost < b.relative_cost; };
  std::stable_sort(candidates.begin() + 1, candidates.end(), cheaper);
}

}  // namespace brio

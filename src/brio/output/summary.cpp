#include "brio/output/summary.hpp"

#include "brio/core/json.hpp"

#include <algorithm>
#include <cmath>

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
  summary.shares = result.shares;
  summary.wall_s = result.wall_s;
  summary.step_ms_median = result.step_ms.quantile(0.5);
  summary.step_ms_p95 = result.step_ms.quantile(0.95);
  summary.step_ms_max = result.step_ms.quantile(1);
  summary.phase_ms = {{"assembly", per_step * result.time.assembly},
                      {"factor", per_step * result.time.factor},
                      {"solve", per_step * result.time.solve},
                      {"other", per_step * result.time.other},
                      {"bookkeeping", per_step * result.bookkeeping_s}};
  summary.work = result;
  summary.initial_energy = result.initial_energy;
  summary.final_energy = result.final_energy;
  summary.max_energy = result.max_energy;
  summary.peak_rss_mb = result.peak_rss_mb;
  for (const CutReport& cut : result.cuts) summary.cuts.push_back(cut.text());
  return summary;
}

Json to_json(const StepWork& work) {
  Json json;
  for (const WorkCounter& counter : work_counters()) json[std::string(counter.name)] = work.*counter.value;
  const auto add = [&](const Extra& extra, std::optional<double> value) {
    auto& place = json[std::string(extra.name)];
    if (extra.value == Extra::Value::choice)
      place = value ? std::string(extra.label(*value)) : "";
    else if (extra.value == Extra::Value::count)
      place = std::lround(value.value_or(0));
    else
      place = value.value_or(0);
  };
  const auto shown = [](const Extra& extra) { return extra.over != Extra::Over::curve; };
  for (const Extra& extra : declared_extras())
    if (shown(extra)) add(extra, work.extras.find(extra.name));
  // Those of a method that is in no table.
  for (const auto& [extra, value] : work.extras.entries())
    if (shown(*extra)) add(*extra, value);
  return json;
}

Json to_json(const RunSummary& s) {
  auto phases = Json::object();
  for (const auto& [name, ms] : s.phase_ms) phases[name] = ms;
  auto shares = Json::object();
  for (const StepShare& share : s.shares) shares[share.name] = share.share;
  Json json = {
      {"integrator", s.integrator},
      {"vertices", s.vertices},
      {"elements", s.elements},
      {"h", s.h},
      {"steps", s.steps},
      {"status", s.status},
      {"message", s.message},
      {"remarks", remarks(s.shares)},
      {"shares", shares},
      {"wall_s", s.wall_s},
      {"step_ms", {{"median", s.step_ms_median}, {"p95", s.step_ms_p95}, {"max", s.step_ms_max}}},
      {"phase_ms", phases},
  };
  json.update(to_json(s.work));
  json["energy"] = {{"initial", s.initial_energy}, {"final", s.final_energy}, {"max", s.max_energy}};
  json["peak_rss_mb"] = s.peak_rss_mb;
  if (!s.cuts.empty()) json["cuts"] = s.cuts;
  for (const BodySummary& body : s.bodies) json["bodies"].push_back(to_json(body));
  return json;
}

}  // namespace brio

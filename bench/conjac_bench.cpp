// What condensation costs beside a plain step of si ("VANILLA" of [CONJAC]), on a dragon of the paper's size. The
// methods take turns, step by step; the ratio of each pair of neighbors is taken, and the median of those.

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

constexpr int kSteps = 12;

Simulation dragon(const std::string& condensation) {
  const std::string text = fmt::format(R"({{
    "mesh": {{"generate": "named", "name": "dragon", "vertices": 10456, "transform": {{"scale": 0.1}}}},
    "materials": [{{"law": "stable-neo-hookean", "E": 3e4, "nu": 0.49, "rho": 1000}}],
    "sets": {{"feet": {{"select": "extreme", "axis": "y", "side": "min", "tolerance": 0.005}}}},
    "constraints": [{{"set": "feet"}}],{}
    "integrator": {{"name": "si", "h": 0.005, "beta": 1}},
    "steps": 1}})",
                                       condensation);
  return build_simulation(parse_scene(text, "dragon.json", scene_tables()));
}

std::string nodes(int count, const std::string& more = "") {
  return fmt::format(R"("condensation": {{"nodes": {{"choose": "farthest", "count": {}}}, "initial": false{}}},)",
                     count, more);
}

struct Runner {
  std::string label;
  Simulation simulation;
  std::vector<double> step, solve, other, ratio;

  double advance() {
    Stopwatch watch;
    const StepReport report = simulation.integrator->step(simulation.state, simulation.h);
    step.push_back(watch.lap());
    if (report.status != StepStatus::ok) throw Error("{} diverged: {}", label, report.reason);
    solve.push_back(report.time.solve);
    other.push_back(report.time.other);
    return step.back();
  }
};

void condensed(benchmark::State& bench) {
  const std::string awake = R"(, "adaptive": {"threshold": 0})";
  std::vector<Runner> runners;
  for (const auto& [label, section] : std::vector<std::pair<std::string, std::string>>{
           {"si", ""}, {"4", nodes(4)}, {"10", nodes(10)}, {"10-adaptive", nodes(10, awake)}})
    runners.push_back({label, dragon(section), {}, {}, {}, {}});
  for (Runner& runner : runners) runner.advance(), runner.step.clear();  // analysis and first allocations
  for (auto _ : bench) {
    double total = 0, si = 0;
    for (Runner& runner : runners) {
      const double seconds = runner.advance();
      if (runner.label == "si") si = seconds;
      runner.ratio.push_back(seconds / si);
      total += seconds;
    }
    bench.SetIterationTime(total);
  }
  bench.counters["vertices"] = runners[0].simulation.vertices();
  bench.counters["tets"] = runners[0].simulation.elements();
  for (const Runner& runner : runners) {
    bench.counters[runner.label + "_ms"] = 1e3 * median(runner.step);
    bench.counters[runner.label + "_solve_ms"] = 1e3 * median(runner.solve);
    bench.counters[runner.label + "_other_ms"] = 1e3 * median(runner.other);
    if (runner.label != "si") bench.counters[runner.label + "/si"] = median(runner.ratio);
  }
  std::vector<double> watching;
  for (size_t i = 0; i < runners[2].step.size(); ++i) watching.push_back(runners[3].step[i] / runners[2].step[i]);
  bench.counters["adaptive/always"] = median(watching);
}

BENCHMARK(condensed)->Name("conjac/dragon")->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(kSteps);

}  // namespace
}  // namespace brio::bench

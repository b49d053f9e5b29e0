// What it costs to carry the slow motion exactly: steps of siere and ksiere beside steps of si, which assembles,
// factors and solves as they do. The methods take turns, step by step, so that what else the machine does hits all of
// them alike; the ratio of each pair of neighbors is taken, and the median of those.

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

/// Made ready for the simulation's system.
std::unique_ptr<Integrator> prepared(const Simulation& simulation, const std::string& name,
                                     const std::map<std::string, OptionValue>& options) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", name);
  std::unique_ptr<Integrator> method = row.make(Options(row.options, options, name));
  method->prepare(*simulation.system);
  return method;
}

/// One method with a state of its own, and the times of its steps [s].
struct SiereRunner {
  std::unique_ptr<Integrator> method;
  State state;
  std::vector<double> step, assembly, factor, solve, other;

  void advance(const Simulation& simulation) {
    Stopwatch watch;
    const StepReport report = method->step(state, simulation.h);
    step.push_back(watch.lap());
    if (report.status != StepStatus::ok) throw Error("the benchmark's run diverged: {}", report.reason);
    assembly.push_back(report.time.assembly);
    factor.push_back(report.time.factor);
    solve.push_back(report.time.solve);
    other.push_back(report.time.other);
  }
  void forget() {
    for (auto* times : {&step, &assembly, &factor, &solve, &other}) times->clear();
  }
};

double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return median(ratios);
}

struct Compared {
  std::string label, name;
  std::map<std::string, OptionValue> options;
};

/// All methods on one bar; counters are the medians over si's.
void methods(benchmark::State& bench, const std::string& bar) {
  const std::vector<Compared> table = {{"si", "si", {}},
                                       {"siere-5", "siere", {{"modes", 5.0}}},
                                       {"siere-20", "siere", {{"modes", 20.0}}},
                                       {"ksiere-2", "ksiere", {{"depth", 2.0}}},
                                       {"ksiere", "ksiere", {}}};
  const Simulation simulation = build_bar(bar);
  std::vector<SiereRunner> runners;
  for (const Compared& row : table) {
    runners.push_back({prepared(simulation, row.name, row.options), simulation.state, {}, {}, {}, {}, {}});
    for (int i = 0; i < 2; ++i) runners.back().advance(simulation);  // analysis, cold modes, first allocations
    runners.back().forget();
  }
  for (auto _ : bench) {
    for (SiereRunner& runner : runners) runner.advance(simulation);
    bench.SetIterationTime(runners[0].step.back());
  }
  const SiereRunner& si = runners[0];
  bench.counters["si_ms"] = 1e3 * median(si.step);
  for (size_t i = 1; i < table.size(); ++i) {
    const SiereRunner& r = runners[i];
    bench.counters[table[i].label + "/si"] = median_ratio(r.step, si.step);
    bench.counters[table[i].label + "_solve_ms"] = 1e3 * median(r.solve);
    bench.counters[table[i].label + "_other_ms"] = 1e3 * median(r.other);
  }
}

/// The two updates with 20 modes, apart from what both do: assembly, factor and following the modes. Woodbury's is what
/// it takes beyond the deflated one, and that one's solve.
void updates(benchmark::State& bench, const std::string& bar) {
  const Simulation simulation = build_bar(bar);
  std::vector<SiereRunner> runners;
  for (const char* update : {"deflated", "woodbury"}) {
    runners.push_back({prepared(simulation, "siere", {{"modes", 20.0}, {"update", std::string(update)}}),
                       simulation.state,
                       {},
                       {},
                       {},
                       {},
                       {}});
    for (int i = 0; i < 2; ++i) runners.back().advance(simulation);
    runners.back().forget();
  }
  // The one solve of the deflated update, and as many as the paper's two updates of rank s take, in blocks.
  const auto lin = simulation.system->linearization();
  VectorXd gradient;
  lin->assemble(0, simulation.state.q, Psd::none, gradient);
  lin->factor(1, 0, simulation.h * simulation.h);
  VectorXd one = gradient;
  MatrixXd paper = MatrixXd::Random(gradient.size(), 2 * 20 + 4);
  std::vector<double> extra, deflated, as_in_paper;
  for (auto _ : bench) {
    for (SiereRunner& runner : runners) runner.advance(simulation);
    extra.push_back(runners[1].solve.back() + runners[1].other.back() - runners[0].solve.back() -
                    runners[0].other.back());
    Stopwatch watch;
    lin->solve(one);
    deflated.push_back(watch.lap());
    lin->solve(paper);
    as_in_paper.push_back(watch.lap());
    one = gradient;
    bench.SetIterationTime(runners[0].step.back());
  }
  bench.counters["deflated_ms"] = 1e3 * median(deflated);
  bench.counters["woodbury_ms"] = 1e3 * (median(deflated) + median(extra));
  bench.counters["woodbury/deflated"] = (median(deflated) + median(extra)) / median(deflated);
  bench.counters["paper_44_solves/deflated"] = median_ratio(as_in_paper, deflated);
}

/// A step of siere over one of si as the body gets stiffer.
void stiffness_of(benchmark::State& bench, double E) {
  const std::string file = std::string(BRIO_SOURCE_DIR) + "/scenes/bar-32k.json";
  const Simulation simulation =
      build_simulation(load_scene(file, scene_tables(), {fmt::format("materials[0].E={}", E)}));
  std::vector<SiereRunner> runners;
  for (const char* name : {"si", "siere"}) {
    runners.push_back({prepared(simulation, name, {}), simulation.state, {}, {}, {}, {}, {}});
    for (int i = 0; i < 2; ++i) runners.back().advance(simulation);
    runners.back().forget();
  }
  for (auto _ : bench) {
    for (SiereRunner& runner : runners) runner.advance(simulation);
    bench.SetIterationTime(runners[1].step.back());
  }
  bench.counters["siere-5/si"] = median_ratio(runners[1].step, runners[0].step);
}

const int kSiereBenches = [] {
  const auto add = [](const std::string& name, int iterations, auto body) {
    benchmark::RegisterBenchmark(name.c_str(), body)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(iterations);
  };
  for (const auto& [bar, iterations] : {std::pair{"bar-32k", 15}, {"bar-98k", 5}}) {
    add(fmt::format("slow-motion/{}", bar), iterations, [bar = bar](auto& s) { methods(s, bar); });
    add(fmt::format("slow-motion-update/{}", bar), iterations, [bar = bar](auto& s) { updates(s, bar); });
  }
  for (double E : {1e6, 1e8, 1e10})
    add(fmt::format("slow-motion-stiffness/E={:g}", E), 9, [E](auto& s) { stiffness_of(s, E); });
  return 0;
}();

}  // namespace
}  // namespace brio::bench

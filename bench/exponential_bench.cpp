// ERE on the bar of 32k tetrahedra: Chebyshev's polynomials against its Lanczos and Arnoldi paths, step by step from the
// same states, and against linearly implicit Euler over four decades of stiffness; and the cloth of its paper. Ratios
// within one run are what counts.

#include "brio/core/stopwatch.hpp"
#include "brio/integrate/methods/ere.hpp"
#include "brio/integrate/methods/si.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

constexpr KrylovLimits kLimits{1e-7, 40, 500};  // the defaults

Simulation bar_of(double E) {
  const std::string file = std::string(BRIO_SOURCE_DIR) + "/scenes/bar-32k.json";
  return build_simulation(load_scene(file, scene_tables(), {fmt::format("materials[0].E={}", E)}));
}

struct Timed {
  Ere ere;
  State state;
  std::vector<double> ms;
  StepReport report;

  void step(const Simulation& simulation, const State& from) {
    state = from;
    Stopwatch watch;
    report = ere.step(state, simulation.h);
    ms.push_back(1e3 * watch.lap());
  }
};

/// The bar after a few steps, when it swings.
void exponential(benchmark::State& bench, double E) {
  Simulation simulation = bar_of(E);
  SemiImplicitEuler si(1, PsdPolicy::automatic);
  si.prepare(*simulation.system);
  Timed chebyshev{{kLimits, ExponentialPath::chebyshev}, {}, {}, {}},
      lanczos{{kLimits, ExponentialPath::lanczos}, {}, {}, {}},
      arnoldi{{kLimits, ExponentialPath::arnoldi}, {}, {}, {}};
  for (Timed* timed : {&chebyshev, &lanczos, &arnoldi}) timed->ere.prepare(*simulation.system);
  std::vector<double> si_ms, lanczos_ratio, arnoldi_ratio, to_si;
  for (int i = 0; i < 3; ++i) si.step(simulation.state, simulation.h);
  for (auto _ : bench) {
    chebyshev.step(simulation, simulation.state);
    lanczos.step(simulation, simulation.state);
    arnoldi.step(simulation, simulation.state);
    Stopwatch watch;
    si.step(simulation.state, simulation.h);
    si_ms.push_back(1e3 * watch.lap());
    bench.SetIterationTime(1e-3 * chebyshev.ms.back());
    lanczos_ratio.push_back(lanczos.ms.back() / chebyshev.ms.back());
    arnoldi_ratio.push_back(arnoldi.ms.back() / chebyshev.ms.back());
    to_si.push_back(chebyshev.ms.back() / si_ms.back());
  }
  bench.counters["chebyshev_ms"] = median(chebyshev.ms);
  bench.counters["si_ms"] = median(si_ms);
  bench.counters["lanczos/chebyshev"] = median(lanczos_ratio);
  bench.counters["arnoldi/chebyshev"] = median(arnoldi_ratio);
  bench.counters["chebyshev/si"] = median(to_si);
  for (const auto& [name, timed] : {std::pair{"chebyshev", &chebyshev}, {"lanczos", &lanczos}, {"arnoldi", &arnoldi}}) {
    const auto count = [timed = timed](const char* what) { return timed->report.extras.find(what).value_or(0); };
    bench.counters[fmt::format("{}_substeps", name)] = count("substeps");
    bench.counters[fmt::format("{}_matvecs", name)] = count("matvecs");
  }
}

/// Table 3 of the paper: steps of ERE over steps of SI on the cloth that falls on a ball, both along their own motion.
void cloth(benchmark::State& bench) {
  const std::string file = std::string(BRIO_SOURCE_DIR) + "/scenes/ere-cloth-on-sphere.json";
  std::vector<double> ms[2];
  double products = 0;
  std::vector<Simulation> runs;
  for (const char* name : {"ere", "si"})
    runs.push_back(build_simulation(load_scene(file, scene_tables(), {fmt::format("integrator.name={}", name)})));
  for (auto _ : bench)
    for (int i = 0; i < 2; ++i) {
      Stopwatch watch;
      const StepReport report = runs[i].integrator->step(runs[i].state, runs[i].h);
      ms[i].push_back(1e3 * watch.lap());
      if (i == 1) continue;
      bench.SetIterationTime(1e-3 * ms[0].back());
      products += report.extras.find("matvecs").value_or(0);
    }
  bench.counters["si_ms"] = median(ms[1]);
  bench.counters["products"] = products / static_cast<double>(ms[0].size());
  bench.counters["ere/si"] = median(ms[0]) / median(ms[1]);
}

const int kExponentialBenches = [] {
  for (double E : {1e5, 1e6, 1e7, 1e8})
    benchmark::RegisterBenchmark(fmt::format("exponential/E:{:g}", E).c_str(), [E](auto& s) { exponential(s, E); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(E < 1e8 ? 3 : 1);
  benchmark::RegisterBenchmark("exponential/cloth", cloth)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(300);
  return 0;
}();

}  // namespace
}  // namespace brio::bench

// ERE on the bar of 32k tetrahedra: its Lanczos path against its Arnoldi path, step by step from the same states, and
// against linearly implicit Euler over four decades of stiffness. Ratios within one run are what counts.

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
  Timed lanczos{{kLimits, ExponentialPath::lanczos}, {}, {}, {}},
      arnoldi{{kLimits, ExponentialPath::arnoldi}, {}, {}, {}};
  for (Timed* timed : {&lanczos, &arnoldi}) timed->ere.prepare(*simulation.system);
  std::vector<double> si_ms, ratio, to_si;
  for (int i = 0; i < 3; ++i) si.step(simulation.state, simulation.h);
  for (auto _ : bench) {
    lanczos.step(simulation, simulation.state);
    arnoldi.step(simulation, simulation.state);
    Stopwatch watch;
    si.step(simulation.state, simulation.h);
    si_ms.push_back(1e3 * watch.lap());
    bench.SetIterationTime(1e-3 * lanczos.ms.back());
    ratio.push_back(arnoldi.ms.back() / lanczos.ms.back());
    to_si.push_back(lanczos.ms.back() / si_ms.back());
  }
  bench.counters["lanczos_ms"] = median(lanczos.ms);
  bench.counters["arnoldi_ms"] = median(arnoldi.ms);
  bench.counters["si_ms"] = median(si_ms);
  bench.counters["arnoldi/lanczos"] = median(ratio);
  bench.counters["lanczos/si"] = median(to_si);
  bench.counters["substeps"] = lanczos.report.extras.find("substeps").value_or(0);
  bench.counters["matvecs"] = lanczos.report.extras.find("matvecs").value_or(0);
  bench.counters["arnoldi_substeps"] = arnoldi.report.extras.find("substeps").value_or(0);
  bench.counters["arnoldi_matvecs"] = arnoldi.report.extras.find("matvecs").value_or(0);
}

const int kExponentialBenches = [] {
  for (double E : {1e5, 1e6, 1e7, 1e8})
    benchmark::RegisterBenchmark(fmt::format("exponential/E:{:g}", E).c_str(), [E](auto& s) { exponential(s, E); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(E < 1e8 ? 3 : 1);
  return 0;
}();

}  // namespace
}  // namespace brio::bench

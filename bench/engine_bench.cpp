// Engines beside each other: the same steps of the swinging bars with each, taken in turn, so that whatever else the
// machine does falls on all of them. Times are means over the swing, as factors are made anew now and then.

#include "brio/core/stopwatch.hpp"

#include <benchmark/benchmark.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

struct EngineRunner {
  Simulation simulation;
  double seconds = 0, iterations = 0, factorizations = 0;

  void step() {
    Stopwatch watch;
    simulation.integrator->step(simulation.state, simulation.h);
    seconds += watch.lap();
    if (const auto& engine = simulation.system->engine()) {
      const SolverWork work = engine->take_work();
      iterations += work.iterations;
      factorizations += work.factorizations;
    }
  }
};

void engines_beside_each_other(benchmark::State& state, const std::string& bar, const std::string& method) {
  constexpr int kWarm = 2, kSteps = 30;
  for (auto _ : state) {
    std::vector<EngineRunner> runners;
    for (const char* engine : {"direct", "reuse", "iterative"})
      runners.push_back({build_bar(bar, {"integrator.name=" + method, std::string("integrator.engine=") + engine})});
    for (int i = 0; i < kWarm + kSteps; ++i)
      for (EngineRunner& runner : runners) {
        if (i == kWarm) runner.seconds = runner.iterations = runner.factorizations = 0;
        runner.step();
      }
    const double direct = runners[0].seconds;
    state.counters["direct_ms"] = 1e3 * direct / kSteps;
    state.counters["reuse_speedup"] = direct / runners[1].seconds;
    state.counters["reuse_iterations"] = runners[1].iterations / kSteps;
    state.counters["reuse_factors"] = runners[1].factorizations / kSteps;
    state.counters["iterative_speedup"] = direct / runners[2].seconds;
    state.counters["iterative_iterations"] = runners[2].iterations / kSteps;
  }
}

const bool kRegistered = [] {
  for (const std::string& bar : kBars)
    for (const char* method : {"si", "siere", "ksiere"})
      benchmark::RegisterBenchmark(("engines/" + bar + "/" + method).c_str(), engines_beside_each_other, bar,
                                   std::string(method))
          ->Iterations(1)
          ->Unit(benchmark::kSecond);
  return true;
}();

}  // namespace
}  // namespace brio::bench

// A whole step of linearly implicit Euler on the four bars, with its phases, and beside it CHOLMOD's own factorization
// and solve of the same matrix: the ratio is what counts, since machines are shared and noisy.

#include "brio/core/stopwatch.hpp"

#include <benchmark/benchmark.h>

#include "bars.hpp"
#include "cholmod_yardstick.hpp"

namespace brio::bench {
namespace {

void step(benchmark::State& bench, const std::string& bar) {
  Simulation simulation = build_bar(bar);
  const NodalSystem& system = *simulation.system;
  CholmodYardstick yardstick(*system.pattern());
  BlockMatrix K(system.pattern());
  VectorXd gradient;
  std::vector<double> step, assembly, factor, solve, other, cholmod_factor, cholmod_solve, ratio;
  simulation.integrator->step(simulation.state, simulation.h);  // symbolic analysis and first allocations
  for (auto _ : bench) {
    // The matrix of the step that follows, for the yardstick.
    system.derivatives(simulation.state.t + simulation.h, simulation.state.q, Psd::none, gradient, K);
    const auto theirs = yardstick.run(K, simulation.h * simulation.h, system.mass(), gradient);
    Stopwatch watch;
    const StepReport report = simulation.integrator->step(simulation.state, simulation.h);
    const double seconds = watch.lap();
    bench.SetIterationTime(seconds);
    step.push_back(1e3 * seconds);
    assembly.push_back(1e3 * report.time.assembly);
    factor.push_back(1e3 * report.time.factor);
    solve.push_back(1e3 * report.time.solve);
    other.push_back(1e3 * report.time.other);
    cholmod_factor.push_back(1e3 * theirs.factor);
    cholmod_solve.push_back(1e3 * theirs.solve);
    ratio.push_back(seconds / (theirs.factor + theirs.solve));
  }
  bench.counters["tets"] = simulation.elements();
  bench.counters["step_ms"] = median(step);
  bench.counters["assembly"] = median(assembly);
  bench.counters["factor"] = median(factor);
  bench.counters["solve"] = median(solve);
  bench.counters["other"] = median(other);
  bench.counters["cholmod_factor"] = median(cholmod_factor);
  bench.counters["cholmod_solve"] = median(cholmod_solve);
  bench.counters["step/cholmod"] = median(ratio);
  bench.counters["assembly_%"] = 100 * median(assembly) / median(step);
}

/// A step of the flagship over one of si, both from bodies that have begun to move: in turn, so that a busy machine is
/// busy for both.
void flagship(benchmark::State& bench, const std::string& bar) {
  Simulation flagship = build_bar(bar, {"integrator.name=glim"}), si = build_bar(bar, {"integrator.name=si"});
  std::vector<double> ratio, pieces;
  const auto timed = [](Simulation& simulation, StepReport& report) {
    Stopwatch watch;
    report = simulation.integrator->step(simulation.state, simulation.h);
    return watch.lap();
  };
  StepReport report, other;
  for (Simulation* simulation : {&flagship, &si}) timed(*simulation, report);
  for (auto _ : bench) {
    const double seconds = timed(flagship, report);
    bench.SetIterationTime(seconds);
    ratio.push_back(seconds / timed(si, other));
    pieces.push_back(report.extras.find("pieces").value_or(0));
  }
  bench.counters["flagship/si"] = median(ratio);
  bench.counters["pieces"] = median(pieces);
}

const int kStepBenches = [] {
  const int iterations[] = {200, 80, 15, 6};
  for (size_t i = 0; i < kBars.size(); ++i) {
    benchmark::RegisterBenchmark(("step/" + kBars[i]).c_str(), [bar = kBars[i]](auto& s) { step(s, bar); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(iterations[i]);
    benchmark::RegisterBenchmark(("flagship/" + kBars[i]).c_str(), [bar = kBars[i]](auto& s) { flagship(s, bar); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(iterations[i]);
  }
  return 0;
}();

}  // namespace
}  // namespace brio::bench

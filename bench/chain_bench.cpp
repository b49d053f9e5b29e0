// How many threads the factorization can keep busy: its work over the longest chain of pieces that wait for each other,
// counted in flops and so the same on every machine.

#include "brio/linalg/supernodal_chain.hpp"

#include <benchmark/benchmark.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

void chain(benchmark::State& bench, const std::string& bar) {
  const Simulation simulation = build_bar(bar);
  double flops = 0, longest = 1;
  for (auto _ : bench) {
    const Symbolic symbolic(*simulation.system->pattern(), 3);
    flops = symbolic.flops;
    longest = longest_chain(symbolic);
  }
  bench.counters["Gflop"] = 1e-9 * flops;
  bench.counters["work/chain"] = flops / longest;
}

const int kChainBenches = [] {
  for (const std::string& bar : kBars)
    benchmark::RegisterBenchmark(("chain/" + bar).c_str(), [bar](auto& s) { chain(s, bar); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  return 0;
}();

}  // namespace
}  // namespace brio::bench

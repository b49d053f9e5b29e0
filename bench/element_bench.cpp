// Elements of both orders: what a point of evaluation costs, what a step costs for the same accuracy, and what share of
// a step the stress of a frame takes.

#include "brio/core/parallel.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/energy/solid_energy.hpp"
#include "brio/optimize/static_solve.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <limits>

#include "bars.hpp"

namespace brio::bench {
namespace {

const std::vector<std::string> kOrder[] = {{"mesh.order=1"}, {"mesh.order=2"}};

/// Forces and stiffness of a body on one thread: CPU time, and the shortest of all rounds, since others use the machine, too.
void points(benchmark::State& bench, int order, bool stiffness, Psd psd) {
  const Simulation simulation = build_bar(order == 1 ? "bar-5k" : "bar-1k", kOrder[order - 1]);
  const NodalSystem& system = *simulation.system;
  const Body& body = simulation.bodies[0];
  const auto energy = make_solid_energy(body.mesh, body.elastic);
  std::vector<int> dof(system.vertices());
  std::vector<std::pair<int, int>> pairs;
  for (int v = 0; v < system.vertices(); ++v) dof[v] = v;
  energy->add_couplings(pairs);
  const auto pattern = std::make_shared<BlockPattern>(system.vertices(), std::move(pairs));
  energy->attach({dof, pattern.get()});
  BlockMatrix K(pattern);
  VectorXd x = body.mesh.X.reshaped<Eigen::RowMajor>(), g = VectorXd::Zero(x.size());
  for (Index i = 0; i < x.size(); ++i) x[i] += 1e-3 * std::sin(7.0 * static_cast<double>(i));  // no two elements alike
  const int threads = thread_count();
  set_thread_count(1);
  double shortest = std::numeric_limits<double>::infinity();
  for (auto _ : bench) {
    const std::clock_t begin = std::clock();
    energy->evaluate(0, x, {.gradient = &g, .hessian = stiffness ? &K : nullptr, .psd = psd});
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    bench.SetIterationTime(seconds);
    shortest = std::min(shortest, seconds);
  }
  set_thread_count(threads);
  bench.counters["ns_a_point"] = 1e9 * shortest / (body.mesh.tets() * (order == 1 ? 1 : 4));
}

/// The mean displacement of the free end of a bar at rest under a hundredth of its weight, downwards [m].
double tip_at_rest(const std::vector<std::string>& settings) {
  std::vector<std::string> all = settings;
  all.push_back("gravity=[0,-0.0981,0]");
  const Simulation bar = build_bar("bar-1k", all);
  VectorXd q = bar.state.q;
  solve_static(*bar.system, 0, bar.state.q, {.tolerance = 1e-6}, {}, q);
  MatrixX3d x;
  bar.system->positions(0, q, x);
  double sum = 0;
  int count = 0;
  for (int v = 0; v < bar.vertices(); ++v)
    if (bar.bodies[0].mesh.X(v, 0) > 0.4 - 1e-9) sum += bar.bodies[0].mesh.X(v, 1) - x(v, 1), ++count;
  return sum / count;
}

/// Where meshes lead that are refined towards the wall, at nu = 0.45: 0.951 of Timoshenko's beam (docs/elements.md) [m].
constexpr double kTip = 0.951 * 8.066e-4;

struct Cells {
  int order, across;
};

/// A step of si of the coarsest linear bar within 2 % of the tip over one of the coarsest quadratic one, in turn.
void accuracy(benchmark::State& bench, Cells coarse, Cells fine) {
  const auto settings = [](const Cells& cells) {
    return std::vector<std::string>{fmt::format("mesh.order={}", cells.order),
                                    fmt::format("mesh.cells_across={}", cells.across)};
  };
  Simulation quadratic = build_bar("bar-1k", settings(coarse)), linear = build_bar("bar-1k", settings(fine));
  const auto timed = [](Simulation& simulation) {
    Stopwatch watch;
    simulation.integrator->step(simulation.state, simulation.h);
    return watch.lap();
  };
  timed(quadratic), timed(linear);
  std::vector<double> few, many, ratio;
  for (auto _ : bench) {
    few.push_back(timed(quadratic));
    many.push_back(timed(linear));
    bench.SetIterationTime(few.back());
    ratio.push_back(many.back() / few.back());
  }
  bench.counters["quadratic_ms"] = 1e3 * median(few);
  bench.counters["linear_ms"] = 1e3 * median(many);
  bench.counters["linear/quadratic"] = median(ratio);
  bench.counters["quadratic_tip"] = tip_at_rest(settings(coarse)) / kTip;
  bench.counters["linear_tip"] = tip_at_rest(settings(fine)) / kTip;
}

/// The stress of a frame, for the page (vertices) or for files (all), as a share of the step before it.
void stress(benchmark::State& bench, const std::string& bar, int order, StressDetail detail) {
  Simulation simulation = build_bar(bar, kOrder[order - 1]);
  std::vector<double> share;
  MatrixX3d x;
  for (int i = 0; i < 3; ++i) simulation.integrator->step(simulation.state, simulation.h);
  for (auto _ : bench) {
    Stopwatch watch;
    simulation.integrator->step(simulation.state, simulation.h);
    const double step = watch.lap();
    simulation.system->positions(simulation.state.t, simulation.state.q, x);
    watch.lap();
    benchmark::DoNotOptimize(simulation.stress(x, detail));
    const double seconds = watch.lap();
    bench.SetIterationTime(seconds);
    share.push_back(seconds / step);
  }
  bench.counters["stress_%"] = 100 * median(share);
}

const int kElementBenches = [] {
  for (const int order : {1, 2}) {
    const auto add = [&](const char* what, bool stiffness, Psd psd) {
      benchmark::RegisterBenchmark(fmt::format("elements/order-{}/{}", order, what).c_str(),
                                   [=](auto& s) { points(s, order, stiffness, psd); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(300);
    };
    add("forces", false, Psd::none);
    add("stiffness", true, Psd::none);
    add("projected", true, Psd::clamp);
    for (const auto& [name, detail] : {std::pair{"page", StressDetail::vertices}, {"files", StressDetail::all}})
      benchmark::RegisterBenchmark(fmt::format("elements/order-{}/stress-{}", order, name).c_str(),
                                   [order, detail = detail](auto& s) { stress(s, order == 1 ? "bar-5k" : "bar-1k", order, detail); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(40);
  }
  benchmark::RegisterBenchmark("elements/accuracy", [](auto& s) { accuracy(s, {2, 4}, {1, 16}); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(5);
  return 0;
}();

}  // namespace
}  // namespace brio::bench

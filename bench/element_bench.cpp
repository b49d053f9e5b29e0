// Elements of both orders: what a point of evaluation costs, what a step costs for the same accuracy, and what share of
// a step the stress of a frame takes.

#include "brio/core/parallel.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/energy/solid_energy.hpp"
#include "brio/optimize/static_solve.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bars.hpp"
#include <ctime>
#include <limits>
#include <tuple>

namespace brio::bench {
namespace {

const std::vector<std::string> kOrder[] = {{"mesh.order=1"}, {"mesh.order=2"}};

/// CPU time of a call [s].
template <class Call>
double cpu_time(const Call& call) {
  timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  call();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return static_cast<double>(end.tv_sec - begin.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
}

struct OneThread {
  const int threads = thread_count();
  OneThread() { set_thread_count(1); }
  ~OneThread() { set_thread_count(threads); }
};

/// On one thread, the shortest of all rounds, since others use the machine, too [s].
template <class Call>
double shortest(benchmark::State& bench, const Call& call) {
  const OneThread one;
  double least = std::numeric_limits<double>::infinity();
  for (auto _ : bench) {
    const double seconds = cpu_time(call);
    bench.SetIterationTime(seconds);
    least = std::min(least, seconds);
  }
  return least;
}

enum class Phase { forces, nothing_stored, all };

/// Forces and stiffness of a body; with nothing_stored, all but adding the blocks to the matrix.
void points(benchmark::State& bench, int order, Phase phase, Psd psd) {
  const Simulation simulation = build_bar(order == 1 ? "bar-5k" : "bar-1k", kOrder[order - 1]);
  const int vertices = simulation.system->vertices();
  const Body& body = simulation.bodies[0];
  const auto energy = make_solid_energy(body.mesh, body.elastic);
  std::vector<int> dof(vertices);
  std::vector<std::pair<int, int>> pairs;
  for (int v = 0; v < vertices; ++v) dof[v] = phase == Phase::all ? v : -1;
  energy->add_couplings(pairs);
  const auto pattern = std::make_shared<BlockPattern>(vertices, std::move(pairs));
  energy->attach({dof, pattern.get()});
  BlockMatrix K(pattern);
  VectorXd x = body.mesh.X.reshaped<Eigen::RowMajor>(), g = VectorXd::Zero(x.size());
  for (Index i = 0; i < x.size(); ++i) x[i] += 1e-3 * std::sin(7.0 * static_cast<double>(i));  // no two elements alike
  const double seconds = shortest(bench, [&] {
    energy->evaluate(0, x, {.gradient = &g, .hessian = phase == Phase::forces ? nullptr : &K, .psd = psd});
  });
  bench.counters["ns_a_point"] = 1e9 * seconds / (body.mesh.tets() * (order == 1 ? 1 : 4));
}

/// The law alone: stress and stiffness of eight points, again and again.
void law(benchmark::State& bench, bool closed_form, Psd psd) {
  constexpr int kBatches = 500;
  const Simulation simulation = build_bar("bar-1k");
  const Material& material = *simulation.bodies[0].elastic[0].material;
  ElementBatch in{};
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        in.F(i, j)[lane] = (i == j) + 0.1 * std::sin(7.0 * lane + 3 * i + j);
        in.g[i][j][lane] = std::sin(5.0 * lane + i + 2 * j);
      }
  M3<Pack> P, K[6];
  const double seconds = shortest(bench, [&] {
    for (int b = 0; b < kBatches; ++b) {
      material.evaluate(in, {.P = &P, .blocks = K, .psd = psd, .closed_form = closed_form});
      benchmark::DoNotOptimize(K);
    }
  });
  bench.counters["ns_a_point"] = 1e9 * seconds / (kBatches * kLanes);
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

/// Where meshes lead that are refined towards the wall, at nu = 0.45: 0.951 of Timoshenko's beam (docs/elements.md)
/// [m].
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
  const OneThread one;
  Simulation simulation = build_bar(bar, kOrder[order - 1]);
  std::vector<double> share;
  MatrixX3d x;
  const auto step = [&] { simulation.integrator->step(simulation.state, simulation.h); };
  for (int i = 0; i < 3; ++i) step();
  for (auto _ : bench) {
    const double stepping = cpu_time(step);
    simulation.system->positions(simulation.state.t, simulation.state.q, x);
    const double seconds = cpu_time([&] { benchmark::DoNotOptimize(simulation.stress(x, detail)); });
    bench.SetIterationTime(seconds);
    share.push_back(seconds / stepping);
  }
  bench.counters["stress_%"] = 100 * median(share);
}

const int kElementBenches = [] {
  for (const int order : {1, 2}) {
    const auto add = [&](const char* what, Phase phase, Psd psd) {
      benchmark::RegisterBenchmark(fmt::format("elements/order-{}/{}", order, what).c_str(),
                                   [=](auto& s) { points(s, order, phase, psd); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(300);
    };
    add("forces", Phase::forces, Psd::none);
    add("stiffness-not-stored", Phase::nothing_stored, Psd::none);
    add("stiffness", Phase::all, Psd::none);
    add("projected", Phase::all, Psd::clamp);
    for (const auto& [name, detail] : {std::pair{"page", StressDetail::vertices}, {"files", StressDetail::all}}) {
      const auto share = [order, name = name, detail = detail](const std::string& bar, int steps) {
        benchmark::RegisterBenchmark(fmt::format("elements/order-{}/stress-{}/{}", order, name, bar).c_str(),
                                     [=](auto& s) { stress(s, bar, order, detail); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(steps);
      };
      share(order == 1 ? "bar-5k" : "bar-1k", 40);
      if (order == 1) share("bar-32k", 5);
    }
  }
  for (const auto& [name, closed, psd] : {std::tuple{"law-closed-form", true, Psd::none},
                                          {"law", false, Psd::none},
                                          {"law-projected", false, Psd::clamp}})
    benchmark::RegisterBenchmark(fmt::format("elements/{}", name).c_str(), [closed = closed, psd = psd](auto& s) { law(s, closed, psd); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(300);
  benchmark::RegisterBenchmark("elements/accuracy",
                               [](auto& s) {
                                 accuracy(s, {2, 4}, {1, 16});
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(5);
  return 0;
}();

}  // namespace
}  // namespace brio::bench

// Ten quasi-Newton iterations against one iteration of Newton's method with the projected stiffness, which CHOLMOD
// factors: what each costs and how near to the step's minimum it ends ([QN] table I). Both begin at the same
// state, and they take turns, so that what else the machine does hits both alike.

#include "brio/core/stopwatch.hpp"
#include "brio/experiment/converge/convergence.hpp"
#include "brio/optimize/lbfgs.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bars.hpp"
#include "cholmod_yardstick.hpp"

namespace brio::bench {
namespace {

constexpr int kIterations = 10, kWindow = 5;

/// A creature of the papers, shaken or swinging, with a material of its own.
struct Creature {
  std::string label, scene;
  std::vector<std::string> changes;
};

/// One Newton iteration: gradient and projected stiffness, CHOLMOD's factor and solve, one look at the objective [s].
class NewtonWithCholmod {
 public:
  explicit NewtonWithCholmod(const NodalSystem& system)
      : system_(system), yardstick_(*system.pattern()), K_(system.pattern()) {}

  double iterate(const State& state, double h) {
    Stopwatch watch;
    y_ = state.q + h * state.v;
    system_.derivatives(state.t + h, y_, Psd::clamp, gradient_, K_);
    double seconds = watch.lap();
    const auto theirs = yardstick_.run(K_, 1, system_.mass() / (h * h), gradient_);
    seconds += theirs.factor + theirs.solve;
    watch.lap();
    benchmark::DoNotOptimize(system_.potentials(state.t + h, y_).total());
    return seconds + watch.lap();
  }

 private:
  const NodalSystem& system_;
  CholmodYardstick yardstick_;
  BlockMatrix K_;
  VectorXd y_, gradient_;
};

/// What L-BFGS adds to a step of so many iterations: everything but the solves [s]. As in a run, its memory has been in
/// use before.
double lbfgs_seconds(Index dofs) {
  Lbfgs memory(kWindow);
  const VectorXd start = VectorXd::Random(dofs);
  VectorXd g, d;
  double seconds = 0;
  for (int frame = 0; frame < 2; ++frame) {
    memory.clear();
    g = start;
    seconds = 0;
    for (int i = 0; i < kIterations; ++i) {
      Stopwatch watch;
      memory.find_direction(g, g, d);
      memory.took(1);
      seconds += watch.lap();
      g *= 0.9;  // less steep along d, so that each pair counts
    }
  }
  return seconds;
}

const StageSolverEntry* solver(const char* name) { return &find_row(stage_solvers(), "solver", name); }

void frames(benchmark::State& bench, const Creature& creature) {
  const std::string file = std::string(BRIO_SOURCE_DIR) + "/scenes/" + creature.scene + ".json";
  Simulation simulation = build_simulation(load_scene(file, scene_tables(), creature.changes));
  const NodalSystem& system = *simulation.system;
  NewtonWithCholmod newton(system);
  for (int i = 0; i < 3; ++i) simulation.integrator->step(simulation.state, simulation.h);
  std::vector<double> frame, elements, lbfgs, cholmod, ratio, share;
  for (auto _ : bench) {
    cholmod.push_back(newton.iterate(simulation.state, simulation.h));
    Stopwatch watch;
    const StepReport report = simulation.integrator->step(simulation.state, simulation.h);
    frame.push_back(watch.lap());
    bench.SetIterationTime(frame.back());
    elements.push_back(report.time.assembly);
    lbfgs.push_back(lbfgs_seconds(system.dofs()));
    ratio.push_back(frame.back() / cholmod.back());
    share.push_back(100 * lbfgs.back() / frame.back());
  }
  bench.counters["vertices"] = system.vertices();
  bench.counters["tets"] = simulation.elements();
  bench.counters["frame_ms"] = 1e3 * median(frame);
  bench.counters["frames_per_s"] = 1 / median(frame);
  bench.counters["elements_ms"] = 1e3 * median(elements);
  bench.counters["lbfgs_ms"] = 1e3 * median(lbfgs);
  bench.counters["lbfgs_%"] = median(share);
  bench.counters["newton_cholmod_ms"] = 1e3 * median(cholmod);
  bench.counters["frame/newton"] = median(ratio);
  const ConvergenceStudy study = study_convergence(
      system, simulation.state, simulation.h,
      {{"ours", solver("quasi-newton"), {.tolerance = 0, .iterations = kIterations, .window = kWindow}},
       {"newton", solver("minimize"), {.tolerance = 0, .iterations = 1}}});
  bench.counters["error"] = study.curves[0].error.back();
  bench.counters["error_newton"] = study.curves[1].error.back();
}

/// The stabilized midpoint against projective dynamics (backward Euler), local/global solves, on one body, by turns:
/// from the same state, and each in its own motion, in which projective dynamics soon has a body at rest before it.
void stabilized(benchmark::State& bench, const std::string& scene) {
  const std::string file = std::string(BRIO_SOURCE_DIR) + "/scenes/" + scene + ".json";
  const auto build = [&](const char* name) {
    return build_simulation(
        load_scene(file, scene_tables(), {fmt::format("integrator.name={}", name), "integrator.solver=projective"}));
  };
  Simulation calm = build("be"), alive = build("stabilized");
  const auto seconds = [](const Simulation& run, State& state) {
    Stopwatch watch;
    run.integrator->step(state, run.h);
    return watch.lap();
  };
  std::vector<double> projective, stabilized, ratio, ratio_own;
  for (auto _ : bench) {
    State copy = alive.state;
    copy.memory.clear();
    projective.push_back(seconds(calm, copy));
    const double own = seconds(calm, calm.state);
    stabilized.push_back(seconds(alive, alive.state));
    bench.SetIterationTime(stabilized.back());
    ratio.push_back(stabilized.back() / projective.back());
    ratio_own.push_back(stabilized.back() / own);
  }
  bench.counters["projective_ms"] = 1e3 * median(projective);
  bench.counters["stabilized_ms"] = 1e3 * median(stabilized);
  bench.counters["stabilized/projective"] = median(ratio);
  bench.counters["own_motions"] = median(ratio_own);
}

const int kQuasiNewtonBenches = [] {
  const auto add = [](const std::string& name, int iterations, auto body) {
    benchmark::RegisterBenchmark(name.c_str(), body)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(iterations);
  };
  const std::string neo_hookean = "materials[0].law=neo-hookean";
  for (const Creature& creature :
       std::vector<Creature>{{"squirrel-8k", "quasi-newton-squirrel", {}},
                             {"squirrel-34k", "quasi-newton-squirrel-fine", {}},
                             {"bunny-6k/corotated", "quasi-newton-bunny", {}},
                             {"bunny-6k/neo-hookean", "quasi-newton-bunny", {neo_hookean}},
                             {"bunny-28k/corotated", "quasi-newton-bunny", {"mesh.vertices=28390"}},
                             {"bunny-28k/neo-hookean", "quasi-newton-bunny", {"mesh.vertices=28390", neo_hookean}}})
    add("quasi-newton/" + creature.label, 15, [creature](auto& s) { frames(s, creature); });
  for (const char* scene : {"stabilized-cactus", "quasi-newton-bunny"})
    add(fmt::format("stabilized/{}", scene), 15, [scene](auto& s) { stabilized(s, scene); });
  return 0;
}();

}  // namespace
}  // namespace brio::bench

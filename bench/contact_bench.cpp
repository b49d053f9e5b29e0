// What contact costs: a box that lies on another one, turned so that no vertices lie on each other, with 33,750
// tetrahedra in all. The same step with and without "contact", in turn, so that a busy machine is busy for both; and the
// same boxes far apart, where contact has nothing to do but to look.

#include "brio/core/stopwatch.hpp"
#include "brio/output/scene_tables.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bars.hpp"

namespace brio::bench {
namespace {

Simulation build_boxes(const std::string& method, bool contact, double gap) {
  return build_simulation(parse_scene(
      fmt::format(R"({{
    "bodies": {{
      "lower": {{"mesh": {{"generate": "box", "size": [0.3, 0.3, 0.3], "cells": [15, 15, 15]}},
                "materials": [{{"law": "stable-neo-hookean", "E": 3e5, "nu": 0.4, "rho": 1000}}],
                "sets": {{"bottom": {{"select": "box", "min": [-1, -1, -1], "max": [1, 1e-4, 1]}}}}}},
      "upper": {{"instance_of": "lower", "transform": {{"rotate_axis": [0, 1, 0], "rotate_degrees": 17,
                "translate": [-0.03, {}, 0.06]}}}}}},
    "constraints": [{{"set": "lower.bottom"}}],
    {}
    "integrator": {{"name": "{}", "h": 0.01}}, "steps": 100}})",
                  0.3 + gap, contact ? R"("contact": {"friction": 0.3},)" : "", method),
      "boxes.json", scene_tables()));
}

struct Phases {
  std::vector<double> step, assembly, factor, solve, other;
  StepReport report;

  double take(Simulation& simulation) {
    Stopwatch watch;
    report = simulation.integrator->step(simulation.state, simulation.h);
    const double seconds = watch.lap();
    step.push_back(1e3 * seconds);
    assembly.push_back(1e3 * report.time.assembly);
    factor.push_back(1e3 * report.time.factor);
    solve.push_back(1e3 * report.time.solve);
    other.push_back(1e3 * report.time.other);
    return seconds;
  }
};

void contact_step(benchmark::State& bench, const std::string& method, double gap) {
  Simulation with = build_boxes(method, true, gap), without = build_boxes(method, false, gap);
  Phases touching, plain;
  for (int i = 0; i < 12; ++i) touching.take(with);  // the upper box comes to lie
  touching = {};
  plain.take(without);
  plain = {};
  double iterations = 0, solves = 0, steps = 0;
  for (auto _ : bench) {
    bench.SetIterationTime(touching.take(with));
    plain.take(without);
    iterations += touching.report.extras.find("contact_iterations").value_or(0);
    solves += touching.report.solves;
    ++steps;
  }
  bench.counters["tets"] = with.elements();
  bench.counters["pairs"] = touching.report.contacts;
  bench.counters["step_ms"] = median(touching.step);
  bench.counters["assembly"] = median(touching.assembly);
  bench.counters["factor"] = median(touching.factor);
  bench.counters["solve"] = median(touching.solve);
  bench.counters["other"] = median(touching.other);
  bench.counters["solves"] = solves / steps;
  bench.counters["newton"] = iterations / steps;
  bench.counters["search_%"] = 100 * (median(touching.other) - median(plain.other)) / median(plain.step);
  bench.counters["contact/plain"] = median(touching.step) / median(plain.step);
}

const int kContactBenches = [] {
  for (const char* method : {"si", "siere", "ksiere"}) {
    const auto add = [&](const char* kind, double gap) {
      benchmark::RegisterBenchmark(fmt::format("contact/{}/{}", kind, method).c_str(),
                                   [method, gap](auto& s) { contact_step(s, method, gap); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(15);
    };
    add("lying", 0.0015);
    add("apart", 30);
  }
  return 0;
}();

}  // namespace
}  // namespace brio::bench

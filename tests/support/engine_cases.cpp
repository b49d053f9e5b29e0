#include "support/engine_cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace brio::testing {
namespace {

const std::string kBar = R"({
  "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 3, "tets_per_cell": "6"},
  "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
  "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
  "constraints": [{"set": "wall"}],
  "integrator": {"name": "si", "h": 0.01},
  "steps": 12})";

}  // namespace

Overrides with(Overrides overrides, const Overrides& more) {
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

Simulation bar(const Overrides& overrides) {
  return build_simulation(parse_scene(kBar, "bar.json", scene_tables(), overrides));
}

Simulation scene(const std::string& name, const Overrides& overrides) {
  const std::string file = fmt::format("{}/scenes/{}.json", BRIO_SOURCE_DIR, name);
  return build_simulation(load_scene(file, scene_tables(), overrides));
}

double size_of(const Simulation& simulation) {
  const MatrixX3d& x = simulation.system->rest_positions();
  return (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
}

End run_to_end(Simulation simulation) {
  End end;
  end.result = run(simulation, {});
  end.q = simulation.state.q;
  end.v = simulation.state.v;
  return end;
}

double apart(const End& a, const End& b, const VectorXd& rest) { return (a.q - b.q).norm() / (a.q - rest).norm(); }

double drift_of_momentum(const std::string& engine) {
  Simulation simulation =
      bar({"constraints=[]", "gravity=[0,0,0]", "initial.angular_velocity=[1,9,2]", "initial.stretch=[1.1,1,0.9]",
           "integrator.frame=off", "integrator.engine_tolerance=1e-3", "integrator.engine=" + engine});
  StepRecord first, last;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    if (record.step == 0) first = record;
    last = record;
  };
  run(simulation, listener);
  return (last.momentum.linear - first.momentum.linear).norm() / simulation.system->vertex_mass().sum();
}

std::vector<std::string> factoring_methods() {
  std::vector<std::string> names;
  for (const IntegratorEntry& row : integrators())
    if (!row.matrices || row.matrices(Options(row.options, {}, row.name)) == MatrixUse::changing)
      names.push_back(row.name);
  return names;
}

const std::vector<EngineCase>& engine_cases() {
  static const std::vector<EngineCase> cases = {
      {"bar-5k", [](const Overrides& o) { return scene("bar-5k", o); }, 10},
      {"spinning-bar", [](const Overrides& o) { return scene("spinning-bar", o); }, 10},
      {"tumbling-block", [](const Overrides& o) { return scene("tumbling-block", o); }, 10},
      {"twisted-bar", [](const Overrides& o) { return scene("twisted-bar", o); }, 6},
      {"fiber-bar", [](const Overrides& o) { return scene("fiber-bar", o); }, 6},
      {"muscle-bar", [](const Overrides& o) { return scene("muscle-bar", o); }, 6},
      {"bar-cut", [](const Overrides& o) { return scene("bar-cut", with({"cuts[0].time=0.02"}, o)); }, 8},
      {"tied-bars", [](const Overrides& o) { return scene("tied-bars", o); }, 8},
      {"ball-drop", [](const Overrides& o) { return scene("ball-drop", o); }, 10},
      {"rope", [](const Overrides& o) { return scene("rope", o); }, 10},
      {"folding-cloth", [](const Overrides& o) { return scene("folding-cloth", o); }, 5},
      {"nearly_incompressible", [](const Overrides& o) { return bar(with({"materials[0].nu=0.495"}, o)); }, 10},
      {"slivers", [](const Overrides& o) { return bar(with({"mesh.height=0.0025"}, o)); }, 10},  // of one degree
      {"stiff", [](const Overrides& o) { return bar(with({"materials[0].E=1e9"}, o)); }, 10},
      {"two_materials",
       [](const Overrides& o) {
         return bar(with({R"(materials=[{"region": "all", "law": "stable-neo-hookean", "E": 1e3, "nu": 0.4, "rho": 1000,
         "graded": {"axis": "x", "from": 0.19, "to": 0.21, "factor_from": 1e6, "factor_to": 1}}])"},
                         o));
       },
       10},
  };
  return cases;
}

const std::vector<std::function<Simulation(const Overrides&)>>& bodies_with_modes() {
  static const std::vector<std::function<Simulation(const Overrides&)>> makers = {
      [](const Overrides& o) { return bar(o); }, [](const Overrides& o) { return bar(with({"constraints=[]"}, o)); },
      [](const Overrides& o) { return scene("tied-bars", o); }};
  return makers;
}

void expect_same_modes(const std::vector<Vibration>& one, const std::vector<Vibration>& other) {
  ASSERT_EQ(one.size(), other.size());
  const double fastest = one.back().lambda;
  for (size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].rigid, other[k].rigid) << k;
    EXPECT_NEAR(one[k].lambda, other[k].lambda, 1e-8 * (one[k].rigid ? fastest : one[k].lambda)) << k;
  }
  for (size_t k = 1; k + 1 < one.size(); ++k) {
    const bool alone =
        !one[k].rigid && one[k].lambda > 1.01 * one[k - 1].lambda && one[k + 1].lambda > 1.01 * one[k].lambda;
    if (!alone) continue;
    const double sign = one[k].shape.dot(other[k].shape) > 0 ? 1 : -1;
    EXPECT_LT((one[k].shape - sign * other[k].shape).norm(), 1e-5 * one[k].shape.norm()) << k;
  }
}

}  // namespace brio::testing

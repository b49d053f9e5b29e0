// Cuts while a scene runs: what is conserved, what goes on, what is refused.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/warnings.hpp"
#include "brio/system/modes.hpp"

#include <gtest/gtest.h>

#include "support/integrators.hpp"
#include <random>

namespace brio {
namespace {

const std::string kCutAcross =
    R"(cuts=[{"time": 0.05, "kind": "plane", "point": [0.19, 0, 0], "normal": [1, 0.3, 0]}])";

Scene uncut_bar(const std::vector<std::string>& overrides) {
  const std::string scene = R"({
    "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2, "tets_per_cell": "6"},
    "materials": [{"law": "stable-neo-hookean", "E": 2e4, "nu": 0.4, "rho": 1000}],
    "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
    "constraints": [{"set": "wall"}],
    "integrator": {"name": "si", "h": 0.01},
    "steps": 10})";
  return parse_scene(scene, "scene.json", scene_tables(), overrides);
}

Simulation cut_bar(const std::vector<std::string>& overrides) { return build_simulation(uncut_bar(overrides)); }

/// Thrown, spinning, stretched and twisted, without anything that acts on it.
Simulation free_bar(std::vector<std::string> overrides) {
  for (
      const char* more :
      {"constraints=[]", "sets={}", "gravity=[0,0,0]",
       R"(initial={"velocity": [0.3, -0.2, 0.5], "angular_velocity": [2, 5, -3], "stretch": [1.2, 0.9, 1], "twist_degrees": 40})"})
    overrides.push_back(more);
  return cut_bar(overrides);
}

struct Moving {
  MatrixX3d x, u;
  explicit Moving(const Simulation& s) {
    s.system->positions(s.state.t, s.state.q, x);
    s.system->velocities(s.state.t, s.state.v, u);
  }
};

Momentum momentum_of(const Simulation& s) {
  const Moving m(s);
  return momentum(s.system->vertex_mass(), m.x, m.u);
}

TEST(CutScene, mass_momentum_and_elastic_energy_survive_random_cuts) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> even(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const std::string plane = fmt::format(
        R"(cuts=[{{"time": 0, "kind": "plane", "point": [{}, 0.05, 0.05], "normal": [{}, {}, {}], "through": "{}", "frame": "{}"}}])",
        0.2 + 0.1 * even(random), 1.0, even(random), even(random), trial % 2 ? "elements" : "faces",
        trial % 4 < 2 ? "rest" : "current");
    Simulation s = free_bar({plane});
    // Velocities that no rigid motion has.
    for (double& v : s.state.v) v += 0.1 * even(random);
    const Momentum before = momentum_of(s);
    const double mass = s.system->vertex_mass().sum(), elastic = s.system->potentials(0, s.state.q).elastic;
    const CutReport report = perform_cut(s, 0);
    ASSERT_TRUE(report.changed);
    EXPECT_GE(report.pieces, 2);
    const Momentum after = momentum_of(s);
    // Sums of a few hundred terms, and two passes of the correction: round-off only.
    EXPECT_NEAR(s.system->vertex_mass().sum(), mass, 1e-12 * mass);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
    EXPECT_LT((after.angular - before.angular).norm(), 1e-12 * before.angular.norm());
    // Every part of a tetrahedron has its deformation gradient.
    EXPECT_NEAR(s.system->potentials(0, s.state.q).elastic, elastic, 1e-11 * elastic);
    for (int t = 0; t < s.bodies[0].mesh.tets(); ++t) ASSERT_GT(tet_volume(s.bodies[0].mesh, t), 0);
  }
}

TEST(CutScene, two_halves_in_flight_keep_the_momentum_of_the_whole) {
  Simulation s = free_bar({kCutAcross});
  const Momentum start = momentum_of(s);
  const RunResult result = run(s, {});
  ASSERT_EQ(result.status, RunStatus::finished) << result.message;
  ASSERT_EQ(result.cuts.size(), 1u);
  EXPECT_EQ(result.cuts[0].pieces, 2);
  EXPECT_NEAR(result.cuts[0].time, 0.05, 1e-12);
  const Momentum end = momentum_of(s);
  EXPECT_LT((end.linear - start.linear).norm(), 1e-12 * start.linear.norm());
  EXPECT_LT((end.angular - start.angular).norm(), 1e-10 * start.angular.norm());
}

TEST(CutScene, every_integrator_runs_through_a_cut) {
  for (const IntegratorEntry& row : integrators())
    for (const std::string through : {"elements", "faces"}) {
      SCOPED_TRACE(row.name + " " + through);
      Simulation s = cut_bar({kCutAcross, "cuts[0].time=0.004", "integrator.name=" + row.name, "integrator.h=0.0004",
                              "steps=20", "cuts[0].through=" + through});
      const int vertices = s.vertices();
      const RunResult result = run(s, {});
      EXPECT_EQ(result.status, RunStatus::finished) << result.message;
      EXPECT_EQ(result.steps, 20);
      ASSERT_EQ(result.cuts.size(), 1u);
      EXPECT_EQ(result.cuts[0].pieces, 2);
      EXPECT_GT(s.vertices(), vertices);
      EXPECT_TRUE(s.state.q.allFinite());
      // What is cut off falls freely: after 4 ms that is less than 0.1 mm, and it was at rest but for 8e-5 m before.
      EXPECT_LT((Moving(s).x - s.bodies[0].mesh.X).cwiseAbs().maxCoeff(), 1e-3);
    }
}

/// The modes of siere go on: the step after a cut finds in those of the whole body what a cold search would find.
TEST(CutScene, siere_finds_its_modes_in_those_of_the_whole_body) {
  for (const bool held : {true, false})
    for (const double h : {0.01, 0.05}) {
      const std::vector<std::string> siere = {kCutAcross, "integrator.name=siere", "mesh.cells_across=4"};
      Simulation s = held ? cut_bar(siere) : free_bar(siere);
      for (int i = 0; i < 5; ++i) ASSERT_EQ(s.integrator->step(s.state, 0.01).status, StepStatus::ok);
      ASSERT_TRUE(perform_cut(s, 0).changed);
      const auto lin = s.system->linearization();
      VectorXd gradient;
      lin->assemble(s.state.t + h, s.state.q, Psd::none, gradient);
      const auto lambda = [&](State state, StepReport& report) {
        report = s.integrator->step(state, h);
        MatrixXd W =
            Eigen::Map<const MatrixXd>(state.memory[0].values.data(), s.system->dofs(), state.memory[0].columns);
        Modes modes;
        ritz_modes(*lin, s.system->mass(), W, static_cast<int>(testing::extra(report, "modes")), modes);
        return modes.lambda;
      };
      State cold = s.state;
      cold.memory.clear();
      StepReport searched, carried;
      const VectorXd found = lambda(cold, searched), kept = lambda(s.state, carried);
      EXPECT_EQ(searched.factorizations, 4);  // one for the step, three for the search
      EXPECT_EQ(carried.factorizations, 1);
      EXPECT_LE(testing::extra(carried, "mode_iterations"), 4);
      // Both count as many rigid motions. Stress makes a turning piece stiff or unstable, so that six are not sure.
      ASSERT_EQ(kept.size(), found.size());
      EXPECT_GE(testing::extra(carried, "modes"), 5 + 3);
      // One block iteration is not convergence: 1.5 % at most here, of the fastest, and the next steps go on.
      for (Index i = 0; i < kept.size(); ++i)
        EXPECT_NEAR(kept[i], found[i], 0.02 * found[found.size() - 1]) << held << " " << h << " " << i;
    }
}

TEST(CutScene, what_is_cut_off_falls_and_what_is_held_stays) {
  Simulation s = cut_bar({R"(cuts=[{"time": 0, "kind": "plane", "point": [0.2, 0, 0], "normal": [1, 0, 0]}])",
                          "integrator.name=im", "steps=20"});
  RunResult result = run(s, {});
  ASSERT_EQ(result.status, RunStatus::finished) << result.message;
  const Moving m(s);
  double fallen = 0, mass = 0;
  for (int v = 0; v < s.vertices(); ++v)
    if (s.bodies[0].mesh.X(v, 0) > 0.21) {
      fallen += s.system->vertex_mass()[v] * (m.x(v, 1) - s.bodies[0].mesh.X(v, 1));
      mass += s.system->vertex_mass()[v];
    }
  // Half g t^2 at t = 0.2 s; the piece neither deforms nor turns, and the midpoint rule is exact for it.
  EXPECT_NEAR(fallen / mass, -0.5 * 9.81 * 0.04, 1e-6);
}

TEST(CutScene, sets_and_supports_go_with_the_vertices) {
  // Along the bar, through the wall: new vertices on edges of the wall, and copies of its vertices.
  Simulation s = cut_bar({R"(cuts=[{"time": 0, "kind": "plane", "point": [0, 0.04, 0], "normal": [0, 1, 0.1]}])",
                          R"(sets.tip={"select": "extreme", "axis": "x", "side": "max"})", "output.probe=tip"});
  const size_t wall = s.sets.at("wall").size();
  const std::vector<int> probe = s.probe;
  const CutReport report = perform_cut(s, 0);
  EXPECT_EQ(report.pieces, 2);
  EXPECT_GT(s.sets.at("wall").size(), wall);
  for (int v = 0; v < s.vertices(); ++v) {
    EXPECT_EQ(s.system->supported(v), s.bodies[0].mesh.X(v, 0) < 1e-9);
    EXPECT_EQ(std::count(s.sets.at("tip").begin(), s.sets.at("tip").end(), v), s.bodies[0].mesh.X(v, 0) > 0.4 - 1e-9);
  }
  EXPECT_EQ(s.probe, probe) << "the path goes on with the same vertices";
  EXPECT_EQ(run(s, {}).status, RunStatus::finished);
}

TEST(CutScene, regions_keep_their_materials) {
  const std::string scene = R"({
    "mesh": {"generate": "ball", "radius": 0.1, "shell": 0.03, "resolution": 4},
    "materials": [{"region": 0, "law": "arap", "E": 1e4, "nu": 0.3, "rho": 500},
                  {"region": 1, "law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 2000, "fiber":
                    {"law": "fiber-quadratic", "kappa": 1e4, "direction": [1, 0, 0]}}],
    "cuts": [{"time": 0, "kind": "plane", "point": [0.01, 0, 0], "normal": [1, 2, 3]}],
    "integrator": {"name": "si", "h": 0.01}, "steps": 2, "initial": {"stretch": [1.1, 1, 1]}})";
  Simulation s = build_simulation(parse_scene(scene, "scene.json", scene_tables()));
  const double mass = s.system->vertex_mass().sum(), elastic = s.system->potentials(0, s.state.q).elastic;
  ASSERT_TRUE(perform_cut(s, 0).changed);
  EXPECT_NEAR(s.system->vertex_mass().sum(), mass, 1e-12 * mass);
  EXPECT_NEAR(s.system->potentials(0, s.state.q).elastic, elastic, 1e-11 * elastic);
}

TEST(CutScene, the_change_of_energy_is_booked) {
  Simulation s = free_bar({kCutAcross});
  StepRecord last;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) { last = record; };
  double change = 0;
  listener.on_cut = [&](const CutReport& report) { change = report.energy_change; };
  run(s, listener);
  EXPECT_NE(change, 0);  // lumped masses of parts see another kinetic energy
  EXPECT_NEAR(last.injected - last.dissipated, change, 1e-12 * std::fabs(change));
}

TEST(CutScene, a_cut_that_misses_says_so_and_changes_no_bit) {
  Simulation with = cut_bar({R"(cuts=[{"time": 0.03, "kind": "plane", "point": [9, 0, 0], "normal": [1, 0, 0]}])"});
  Simulation without = cut_bar({});
  const RunResult result = run(with, {});
  run(without, {});
  ASSERT_EQ(result.cuts.size(), 1u);
  EXPECT_FALSE(result.cuts[0].changed);
  EXPECT_EQ(result.cuts[0].text(),
            "cuts[0] at 0.03 s: changed nothing; it misses the body or reaches into it by less than an element");
  EXPECT_EQ(with.state.q, without.state.q);
  EXPECT_EQ(with.state.v, without.state.v);
}

TEST(CutScene, several_cuts_come_in_order_of_time) {
  Simulation s = cut_bar({R"(cuts=[{"time": 0.06, "kind": "plane", "point": [0.3, 0, 0], "normal": [1, 0, 0]},
                               {"time": 0.02, "kind": "plane", "point": [0.1, 0, 0], "normal": [1, 0, 0]},
                               {"time": 0.06, "kind": "path", "points": [[0.2, 0.2, -1], [0.2, 0.2, 1]],
                                "direction": [0, -1, 0], "frame": "rest", "through": "faces"},
                               {"time": 0.1, "kind": "plane", "point": [0.1, 0, 0], "normal": [0, 1, 0]}])"});
  std::vector<std::string> paths;
  std::vector<int> vertices;
  RunListener listener;
  listener.on_cut = [&](const CutReport& report) {
    paths.push_back(report.path);
    vertices.push_back(s.vertices());
  };
  const RunResult result = run(s, listener);
  EXPECT_EQ(paths, (std::vector<std::string>{"cuts[1]", "cuts[0]", "cuts[2]"})) << "no step comes after the last one";
  ASSERT_EQ(result.cuts.size(), 3u);
  EXPECT_EQ(result.cuts.back().pieces, 4);
  EXPECT_TRUE(std::is_sorted(vertices.begin(), vertices.end()));
}

TEST(CutScene, the_same_bits_for_any_number_of_threads) {
  const auto end = [](int threads) {
    set_thread_count(threads);
    Simulation s = cut_bar({kCutAcross, "mesh.cells_across=4"});
    run(s, {});
    set_thread_count(0);
    return s.state.q;
  };
  EXPECT_EQ(end(1), end(2));
}

std::string refused_cut(const std::vector<std::string>& overrides) {
  try {
    cut_bar(overrides);
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(CutScene, what_cannot_be_is_refused_with_its_place) {
  EXPECT_EQ(refused_cut({R"(cuts=[{"time": 1, "kind": "plane", "point": [0, 0, 0], "normal": [0, 0, 0]}])"}),
            "scene.json: cuts[0]: \"normal\" = [0, 0, 0]: expected a direction");
  EXPECT_EQ(refused_cut({R"(cuts=[{"time": 1, "kind": "path", "points": [[0, 0, 0]], "direction": [0, 1, 0]}])"}),
            "scene.json: cuts[0]: \"points\": expected a path of two different points or more, seen along the "
            "\"direction\"");
  EXPECT_EQ(refused_cut({kCutAcross, "mesh.skin=skin.obj"}).find("accepted"), std::string::npos);
  EXPECT_NE(refused_cut({kCutAcross, "mesh.skin=skin.obj"}).find("cuts: a body that carries a skin cannot be cut"),
            std::string::npos);
  EXPECT_NE(refused_cut({R"(cuts=[{"time": -1, "kind": "plane", "point": [0, 0, 0], "normal": [1, 0, 0]}])"})
                .find("cuts[0].time = -1: expected a number >= 0 [s]"),
            std::string::npos);
  EXPECT_NE(refused_cut({R"(cuts=[{"time": 1, "kind": "plain", "point": [0, 0, 0], "normal": [1, 0, 0]}])"})
                .find("did you mean \"plane\"?"),
            std::string::npos);
  EXPECT_NE(refused_cut({R"(cuts=[{"time": 1, "kind": "plane", "point": [0, 0, 0], "normal": [1e999, 0, 0]}])"}),
            "accepted");
}

TEST(CutScene, spring_nets_cannot_be_cut) {
  try {
    load_scene(std::filesystem::path(BRIO_SOURCE_DIR) / "scenes/cloth-wind.json", scene_tables(), {kCutAcross});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cuts: only tetrahedra can be cut, not a spring net"), std::string::npos);
  }
}

TEST(CutScene, cuts_that_come_too_late_or_miss_are_warned_of) {
  const auto warnings = [](const std::string& cuts) {
    const Scene scene = uncut_bar({cuts});
    return scene_warnings(scene, build_simulation(scene));
  };
  EXPECT_EQ(warnings(kCutAcross), std::vector<std::string>{});
  EXPECT_EQ(warnings(R"(cuts=[{"time": 0.1, "kind": "plane", "point": [0.2, 0, 0], "normal": [1, 0, 0]}])"),
            std::vector<std::string>{"cuts[0].time = 0.1: no step comes after it; the scene ends at 0.1 s"});
  EXPECT_EQ(warnings(R"(cuts=[{"time": 0, "kind": "plane", "point": [2, 0, 0], "normal": [1, 0, 0]}])"),
            std::vector<std::string>{
                "cuts[0]: this cut changes nothing: it misses the body or reaches into it by less than an element"});
}

}  // namespace
}  // namespace brio

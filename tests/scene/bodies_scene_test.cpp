// Scenes with several bodies: names, places, instances, ties, budgets, and that bodies which do not touch each other
// move as each would alone.

#include "brio/energy/tie_energy.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/vibrations.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "scene/test_tables.hpp"

namespace brio::testing {
namespace {

const std::string kBar = R"("mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2, "tets_per_cell": "6"},
  "materials": [{"law": "stable-neo-hookean", "E": 3e5, "nu": 0.4, "rho": 1000}],
  "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"},
           "tip": {"select": "extreme", "axis": "x", "side": "max"}})";
const std::string kCloth =
    R"("mesh": {"springs": "cloth", "width": 0.4, "length": 0.3, "nx": 7, "ny": 6, "plane": "xy"},
  "springs": {"stiffness": 80, "shear_stiffness": 20, "bend_stiffness": 1, "total_mass": 0.05},
  "sets": {"pole": {"select": "extreme", "axis": "x", "side": "min"}})";
const std::string kPendulum = R"("bones": {
    "upper": {"shape": "capsule", "from": [0, 0, 0], "to": [0, -0.3, 0], "radius": 0.03,
              "joint": {"kind": "revolute", "anchor": [0, 0, 0], "angle": 1.2}},
    "lower": {"shape": "box", "size": [0.05, 0.3, 0.05], "center": [0, -0.45, 0], "parent": "upper",
              "joint": {"kind": "revolute", "anchor": [0, -0.3, 0], "speed": 1}}})";

std::string scene_text(const std::string& body, const std::string& more, const std::string& method, int steps) {
  return "{" + body + ", " + more + R"("integrator": )" + method + R"(, "steps": )" + std::to_string(steps) + "}";
}

std::string bodies(const std::string& inside) { return R"("bodies": {)" + inside + "}"; }

const std::string kSi = R"({"name": "si", "h": 0.01})", kIm = R"({"name": "im", "h": 0.005, "tolerance": 1e-11})";

Simulation built(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_simulation(parse_scene(text, "scene.json", scene_tables(), overrides));
}

MatrixX3d positions(const Simulation& s) {
  MatrixX3d x;
  s.system->positions(s.state.t, s.state.q, x);
  return x;
}

/// Positions at the end of the scene.
MatrixX3d moved(Simulation& simulation) {
  EXPECT_EQ(run(simulation, {}).status, RunStatus::finished);
  return positions(simulation);
}

MatrixX3d moved(const std::string& text) {
  Simulation simulation = built(text);
  return moved(simulation);
}

std::string refused(const std::string& text) {
  try {
    built(text);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_said(const std::string& text, const std::string& words) {
  const std::string said = refused(text);
  EXPECT_NE(said.find(words), std::string::npos) << "said: " << said << "\nexpected: " << words;
}

TEST(BodiesScene, one_body_has_the_same_bits_at_the_top_and_by_name) {
  for (const std::string& method : {kSi, std::string(R"({"name": "siere", "h": 0.01})")}) {
    const MatrixX3d top = moved(scene_text(kBar, R"("constraints": [{"set": "wall"}], )", method, 8));
    const MatrixX3d named =
        moved(scene_text(bodies(R"("bar": {)" + kBar + "}"), R"("constraints": [{"set": "bar.wall"}], )", method, 8));
    EXPECT_EQ(top, named) << method;
    EXPECT_GT((top.rowwise() - top.row(0)).cwiseAbs().maxCoeff(), 0.1);
  }
}

// The oracle of many bodies: each of them alone. A midpoint solved to 1e-11 has one solution, whatever is beside it.
TEST(BodiesScene, a_solid_a_cloth_and_a_skeleton_move_as_each_alone) {
  const int steps = 25;
  const MatrixX3d bar = moved(scene_text(kBar, R"("constraints": [{"set": "wall"}], )", kIm, steps));
  const MatrixX3d cloth = moved(scene_text(kCloth, R"("constraints": [{"set": "pole"}], )", kIm, steps));
  const MatrixX3d arm = moved(scene_text(kPendulum, "", kIm, steps));
  Simulation together = built(
      scene_text(bodies(R"("a-bar": {)" + kBar + R"(}, "b-cloth": {)" + kCloth + R"(}, "c-arm": {)" + kPendulum + "}"),
                 R"("constraints": [{"set": "a-bar.wall"}, {"set": "b-cloth.pole"}], )", kIm, steps));
  ASSERT_EQ(together.bodies.size(), 3u);
  EXPECT_STREQ(together.element_name(), "elements");
  const MatrixX3d all = moved(together);
  ASSERT_EQ(all.rows(), bar.rows() + cloth.rows() + arm.rows());
  EXPECT_LT((all.topRows(bar.rows()) - bar).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((all.middleRows(bar.rows(), cloth.rows()) - cloth).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((all.bottomRows(arm.rows()) - arm).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT((bar - built(scene_text(kBar, "", kIm, 1)).bodies[0].mesh.X).cwiseAbs().maxCoeff(), 0.02);
}

TEST(BodiesScene, a_free_body_beside_a_skeleton_keeps_its_spin) {
  Simulation simulation = built(scene_text(
      bodies(R"("arm": {)" + kPendulum + R"(}, "bar": {)" + kBar + R"(, "initial": {"angular_velocity": [0, 0, 15]}})"),
      R"("gravity": [0, 0, 0], )", kSi, 100));
  std::vector<Vec3> angular;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) { angular.push_back(r.bodies[1].momentum.angular); };
  EXPECT_EQ(run(simulation, listener).status, RunStatus::finished);
  ASSERT_GT(angular[0].norm(), 0.1);
  EXPECT_LT((angular.back() - angular[0]).norm(), 1e-9 * angular[0].norm());
}

TEST(BodiesScene, copies_have_names_sets_and_places_and_move_alike) {
  Simulation s = built(scene_text(
      bodies(R"("bar": {)" + kBar +
             R"(, "transform": {"translate": [0, 1, 0]}, "copies": {"count": [2, 1, 3], "spacing": [1, 0, 2]}})"),
      R"("constraints": [{"set": "bar.wall"}], "output": {"probe": "bar-6.tip"}, )", kSi, 10));
  ASSERT_EQ(s.bodies.size(), 6u);
  EXPECT_EQ(s.bodies[5].name, "bar-6");
  const int n = s.bodies[0].vertices();
  EXPECT_EQ(s.sets.at("bar-2").size(), static_cast<size_t>(n));
  EXPECT_EQ(s.sets.at("bar").size(), 6u * n);
  EXPECT_EQ(s.sets.at("bar.wall").size(), 6 * s.sets.at("bar-4.wall").size());
  EXPECT_LT((s.bodies[5].mesh.X.row(0) - s.bodies[0].mesh.X.row(0) - Eigen::RowVector3d(1, 0, 4)).norm(), 1e-12);
  EXPECT_EQ(s.probe, s.sets.at("bar-6.tip"));
  const MatrixX3d x = moved(s);
  for (int b = 1; b < 6; ++b) {
    const MatrixX3d apart = x.middleRows(b * n, n) - x.topRows(n);
    EXPECT_LT((apart.rowwise() - apart.row(0)).cwiseAbs().maxCoeff(), 1e-10) << b;
  }
}

TEST(BodiesScene, an_instance_has_what_it_does_not_say_from_the_other) {
  const Simulation s = built(
      scene_text(bodies(R"("b": {)" + kBar +
                        R"(}, "a": {"instance_of": "b", "transform": {"translate": [0, 0, 1], "rotate_degrees": 90},
                "materials": [{"law": "stable-neo-hookean", "E": 3e5, "nu": 0.4, "rho": 500}]})"),
                 R"("constraints": [{"set": "a.wall"}, {"set": "b.wall"}], )", kSi, 1));
  EXPECT_EQ(s.sets.at("a.wall").size(), s.sets.at("b.wall").size());
  EXPECT_NEAR(s.bodies[0].mass.sum(), 2, 1e-9);  // half the density
  EXPECT_NEAR(s.bodies[1].mass.sum(), 4, 1e-9);
  // Turned by 90 degrees about y: what was along x is along -z. The sets are those of the body before.
  for (int v : s.sets.at("a.wall")) EXPECT_NEAR(s.system->rest_positions()(v, 2), 1, 1e-12);
}

TEST(BodiesScene, a_placed_skeleton_moves_as_it_would_at_the_origin) {
  const std::string place =
      R"(, "transform": {"rotate_axis": [0, 1, 0], "rotate_degrees": 90, "translate": [1, 2, 3]})";
  const MatrixX3d here = moved(scene_text(kPendulum, "", kIm, 60));
  const MatrixX3d there = moved(scene_text(bodies(R"("p": {)" + kPendulum + place + "}"), "", kIm, 60));
  const Mat3 R = Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitY()).toRotationMatrix();
  // The six points that carry each bone's mass may lie otherwise about an axis of symmetry; its surface may not.
  const Index six = 2 * 6, seen = here.rows() - six;
  const MatrixX3d expected = (here.bottomRows(seen) * R.transpose()).rowwise() + Eigen::RowVector3d(1, 2, 3);
  EXPECT_LT((there.bottomRows(seen) - expected).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(BodiesScene, budgets_of_bodies_add_up_to_that_of_the_world) {
  Simulation s =
      built(scene_text(bodies(R"("a": {)" + kBar + R"(}, "b": {)" + kCloth + R"(}, "c": {)" + kPendulum + "}"),
                       R"("constraints": [{"set": "a.wall"}],
                                     "obstacles": [{"shape": "half-space", "normal": [0, 1, 0], "point": [0, -0.2, 0]}], )",
                       kSi, 20));
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) {
    ASSERT_EQ(r.bodies.size(), 3u);
    double kinetic = 0, potential = 0;
    Vec3 linear = Vec3::Zero();
    for (const BodyBudget& body : r.bodies) {
      kinetic += body.kinetic;
      potential += body.potentials.total();
      linear += body.momentum.linear;
    }
    EXPECT_NEAR(kinetic, r.kinetic, 1e-11 * (1 + r.kinetic));
    EXPECT_NEAR(potential, r.potentials.total(), 1e-10 * (1 + std::fabs(r.potentials.total())));
    EXPECT_LT((linear - r.momentum.linear).norm(), 1e-11 * (1 + linear.norm()));
  };
  const RunResult result = run(s, listener);
  EXPECT_EQ(result.status, RunStatus::finished) << result.message;
}

TEST(BodiesScene, each_skeleton_has_the_energy_of_its_own_joints) {
  const auto arm = [](double stiffness, double angle) {
    return fmt::format(R"({{"bones": {{"arm": {{"shape": "capsule", "from": [0, 0, 0], "to": [0, -1, 0], "radius": 0.06,
      "joint": {{"kind": "revolute", "anchor": [0, 0, 0], "angle": {}, "stiffness": {}}}}}}}}})", angle, stiffness);
  };
  Simulation s = built(scene_text(bodies(R"("a": )" + arm(3, 0.5) + R"(, "b": )" + arm(7, 0.2)), "", kIm, 1));
  std::vector<double> elastic;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) {
    if (r.step == 0)
      for (const BodyBudget& body : r.bodies) elastic.push_back(body.potentials.elastic);
  };
  run(s, listener);
  ASSERT_EQ(elastic.size(), 2u);
  EXPECT_NEAR(elastic[0], 0.5 * 3 * 0.5 * 0.5, 1e-12);
  EXPECT_NEAR(elastic[1], 0.5 * 7 * 0.2 * 0.2, 1e-12);
}

TEST(BodiesScene, tied_bodies_keep_their_momentum_and_stay_together) {
  const std::string placed = R"(, "transform": {"translate": [0.4, 0.01, 0]}, "initial": {"velocity": [0, 1, 0]}})";
  Simulation s = built(scene_text(
      bodies(R"("a": {)" + kBar + R"(}, "b": {)" + kBar + placed),
      R"("gravity": [0, 0, 0], "attachments": [{"set": "b.wall", "to": "a", "stiffness": 1e5}], )", kIm, 60));
  EXPECT_EQ(s.system->free_pieces().size(), 1u);  // tied, they are one piece
  Momentum first, last;
  double start = 0, least = 1e300, most = -1e300;
  RunListener listener;
  listener.on_step = [&](const StepRecord& r) {
    if (r.step == 0) first = r.momentum, start = r.total();
    last = r.momentum;
    least = std::min(least, r.total()), most = std::max(most, r.total());
  };
  EXPECT_EQ(run(s, listener).status, RunStatus::finished);
  EXPECT_LT((last.linear - first.linear).norm(), 1e-8 * first.linear.norm());
  EXPECT_LT((last.angular - first.angular).norm(), 1e-6 * first.angular.norm());
  EXPECT_LT(most - least, 0.2 * start);
  MatrixX3d x = positions(s);
  const auto mean = [&](const char* set) { return Vec3(x(s.sets.at(set), Eigen::all).colwise().mean().transpose()); };
  EXPECT_LT((mean("b.wall") - mean("a.tip")).norm(), 0.03);
  EXPECT_GT((mean("a.tip") - Vec3(0.4, 0.05, 0.05)).norm(), 0.05);  // it was taken along
}

TEST(TieEnergy, derivatives_agree_with_differences) {
  const Tie glue{0, {1, 2, 3, 4}, {0.4, 0.3, 0.2, 0.1}, 0}, rope{5, {1, 1, 1, 1}, {1, 0, 0, 0}, 0.3};
  TieEnergy energy({glue, rope}, 7);
  std::vector<std::pair<int, int>> pairs;
  energy.add_couplings(pairs);
  BlockPattern pattern(6, pairs);
  energy.attach({{0, 1, 2, 3, 4, 5}, &pattern});
  const VectorXd x = VectorXd::LinSpaced(18, 0, 1.7).array().sin();
  const auto gradient = [&](const VectorXd& at) {
    VectorXd g = VectorXd::Zero(18);
    energy.evaluate(0, at, {.gradient = &g});
    return g;
  };
  const auto value = [&](const VectorXd& at) {
    double e = 0;
    energy.evaluate(0, at, {.value = &e});
    return e;
  };
  const VectorXd g = gradient(x);
  ASSERT_GT(g.norm(), 0.1);
  BlockMatrix K(std::make_shared<BlockPattern>(pattern));
  K.set_zero();
  energy.evaluate(0, x, {.hessian = &K});
  const double d = 1e-6;
  for (int i = 0; i < 18; ++i) {
    VectorXd up = x, down = x, column;
    up[i] += d, down[i] -= d;
    EXPECT_NEAR((value(up) - value(down)) / (2 * d), g[i], 1e-7);
    K.multiply(VectorXd::Unit(18, i), column);
    EXPECT_LT(((gradient(up) - gradient(down)) / (2 * d) - column).norm(), 1e-6) << i;
  }
}

TEST(BodiesScene, a_cut_of_one_body_leaves_the_others) {
  Simulation s = built(
      scene_text(bodies(R"("a": {)" + kBar + R"(}, "b": {)" + kBar + R"(, "transform": {"translate": [0, 0, 1]}})"),
                 R"("constraints": [{"set": "a.wall"}, {"set": "b.wall"}], "output": {"probe": "b.tip"},
                                     "cuts": [{"time": 0.03, "body": "a", "kind": "plane", "point": [0.2, 0, 0], "normal": [1, 0, 0]}], )",
                 kSi, 8));
  const int before = s.bodies[0].vertices(), other = s.bodies[1].vertices();
  const size_t tip = s.sets.at("b.tip").size();
  const RunResult result = run(s, {});
  EXPECT_EQ(result.status, RunStatus::finished);
  ASSERT_EQ(result.cuts.size(), 1u);
  EXPECT_EQ(result.cuts[0].pieces, 2);
  EXPECT_GT(s.bodies[0].vertices(), before);
  EXPECT_EQ(s.bodies[1].vertices(), other);
  EXPECT_EQ(s.sets.at("b.tip").size(), tip);
  EXPECT_EQ(s.probe, s.sets.at("b.tip"));  // under their new numbers
  for (int v : s.probe) EXPECT_NEAR(s.system->rest_positions()(v, 0), 0.4, 1e-9);
}

TEST(BodiesScene, modes_say_which_body_moves) {
  const Simulation s = built(scene_text(
      bodies(R"("hard": {)" + kBar + R"(}, "soft": {"instance_of": "hard", "transform": {"translate": [0, 0, 1]},
                 "materials": [{"law": "stable-neo-hookean", "E": 3e4, "nu": 0.4, "rho": 1000}]})"),
      R"("constraints": [{"set": "hard.wall"}, {"set": "soft.wall"}], )", kSi, 1));
  const std::vector<Vibration> found = find_vibrations(s, 2);
  EXPECT_EQ(found[0].body, "soft");
  EXPECT_GT(found[0].body_share, 0.999);
}

TEST(BodiesScene, says_what_is_wrong) {
  const auto two = [](const std::string& more) {
    return scene_text(bodies(R"("a": {)" + kBar + R"(}, "b": {)" + kCloth + "}"), more, kSi, 1);
  };
  EXPECT_EQ(refused(two("")), "");
  expect_said(two(R"("constraints": [{"set": "a.wal"}], )"), "did you mean \"a.wall\"");
  expect_said(two(R"("constraints": [{"set": "wall"}], )"), "constraints[0].set: unknown set \"wall\"");
  expect_said(two(R"("initial": {"velocity": [1, 0, 0]}, )"), "initial: belongs to one body");
  expect_said(two(R"("cuts": [{"time": 0, "body": "b", "kind": "plane", "point": [0, 0, 0], "normal": [1, 0, 0]}], )"),
              "only tetrahedra can be cut");
  expect_said(two(R"("cuts": [{"time": 0, "body": "c", "kind": "plane", "point": [0, 0, 0], "normal": [1, 0, 0]}], )"),
              "cuts[0].body: unknown body \"c\"");
  expect_said(two(R"("attachments": [{"set": "a.tip", "to": "a", "stiffness": 1}], )"), "would be tied to itself");
  expect_said(two(R"("sets": {"a": {"select": "all"}}, )"), "sets.a: is the name of a body");
  expect_said(scene_text(bodies(R"("a.b": {)" + kBar + "}"), "", kSi, 1), "a name without a dot");
  expect_said(scene_text(bodies(R"("a": {"instance_of": "b"}, "b": {"instance_of": "a"})"), "", kSi, 1),
              "an instance of itself");
  expect_said(scene_text(bodies(R"("a": {"instance_of": "c"})"), "", kSi, 1), "unknown body \"c\"");
  expect_said(scene_text(bodies(""), "", kSi, 1), "bodies: expected at least one body");
  expect_said(
      scene_text(bodies(R"("a": {)" + kBar + R"(, "copies": {"count": [9999, 9999, 9999], "spacing": [1, 1, 1]}})"), "",
                 kSi, 1),
      "at most 10000 are allowed");
  expect_said(scene_text(bodies(R"("p": {)" + kPendulum + R"(, "transform": {"scale": 2}})"), "", kSi, 1),
              "bodies.p.transform.scale = 2: bones keep their size");
  expect_said(scene_text(bodies(R"("a": {)" + kBar + R"(}, "p": {)" + kPendulum + "}"),
                         R"("constraints": [{"set": "p"}], )", kSi, 1),
              "bones hang by their joints");
}

}  // namespace
}  // namespace brio::testing

// Implicit steps are the same in any units, and are found wherever the body is.

#include "brio/integrate/integrator.hpp"
#include "brio/optimize/stage_solver.hpp"
#include "brio/optimize/static_solve.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::integrator;
using testing::law;
using testing::prepared;

using Settings = std::map<std::string, OptionValue>;

/// A steel bar in a wall, `away` from the origin, under its weight.
NodalSystem steel_bar(const Vec3& away) {
  Bar bar(2, true, law("stable-neo-hookean", {{"E", 2e11}, {"nu", 0.3}}), 7800);
  bar.parts.x0.rowwise() += away.transpose();
  bar.with_gravity();
  return bar.system();
}

struct Effort {
  int iterations = 0, halvings = 0, unconverged = 0;
  double sag = 0;  ///< [m]
};

Effort twenty_steps(const Vec3& away, const std::string& method, const Settings& settings) {
  const NodalSystem system = steel_bar(away);
  const auto stepper = prepared(system, integrator(method, settings));
  State state = at_rest(system);
  const VectorXd rest = state.q;
  Effort effort;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = stepper->step(state, 0.01);
    EXPECT_EQ(report.status, StepStatus::ok) << method << ", step " << i << ": " << report.reason;
    effort.iterations += report.iterations;
    effort.halvings += report.halvings;
    effort.unconverged += report.unconverged;
  }
  effort.sag = (state.q - rest).lpNorm<Eigen::Infinity>();
  return effort;
}

TEST(Newton, takes_hardly_more_iterations_a_kilometer_away) {
  // With a floor that did not know the coordinates: 893 iterations and 140 halvings with be.
  for (const char* method : {"be", "im", "newmark"}) {
    for (const char* solver : {"newton", "minimize"}) {
      const Settings settings = {{"solver", solver}};
      const Effort near = twenty_steps({0, 0, 0}, method, settings), far = twenty_steps({1000, 0, 0}, method, settings);
      EXPECT_EQ(near.halvings, 0) << method << ", " << solver;
      EXPECT_EQ(far.halvings, 0) << method << ", " << solver;
      EXPECT_EQ(far.unconverged, 0) << method << ", " << solver;
      // One more in each step, which shows that it gets no closer.
      EXPECT_LE(far.iterations, near.iterations + 2 * 20) << method << ", " << solver;
    }
  }
}

TEST(Newton, stops_where_numbers_end_whatever_the_tolerance) {
  for (double away : {0.0, 100.0, 1e4}) {
    const Effort effort = twenty_steps({away, 0, 0}, "be", {{"tolerance", 1e-15}});
    EXPECT_EQ(effort.halvings, 0) << away << " m";
    EXPECT_LT(effort.iterations, 5 * 20) << away << " m";
  }
  // The sag is a micrometer, and positions at 100 m have steps of 1.4e-14 m.
  const double sag = twenty_steps({0, 0, 0}, "be", {{"tolerance", 1e-15}}).sag;
  EXPECT_NEAR(twenty_steps({0, 100, 0}, "be", {{"tolerance", 1e-15}}).sag, sag, 1e-12);
  EXPECT_GT(sag, 1e-8);
}

TEST(StaticSolve, finds_the_rest_shape_a_kilometer_away) {
  const NodalSystem near = steel_bar({0, 0, 0}), far = steel_bar({1000, 1000, 0});
  VectorXd q = near.rest(), p = far.rest();
  const StaticReport here = solve_static(near, 0, near.rest(), {}, {}, q);
  const StaticReport there = solve_static(far, 0, far.rest(), {}, {}, p);
  EXPECT_EQ(here.status, StaticStatus::converged);
  EXPECT_EQ(there.status, StaticStatus::converged);
  EXPECT_LE(there.iterations, here.iterations + 2);
}

/// A soft bar swinging under its weight with all lengths `scale` times as long and times as they were: the same motion
/// in other units. Its positions after 40 steps, in lengths of the bar.
VectorXd scaled_swing(double scale, const std::string& method, const Settings& settings) {
  TetMesh mesh = make_box(scale * Vec3(0.4, 0.1, 0.1), {8, 2, 2}, 6);
  NodalParts parts;
  parts.x0 = mesh.X;
  parts.vertex_mass = lumped_mass(mesh, 1000);
  parts.energies.push_back(std::make_unique<ElasticEnergy>(
      mesh, std::vector<ElasticPart>{{law("neo-hookean", {{"E", 1e5 * scale * scale}, {"nu", 0.4}}),
                                      testing::first_integers(mesh.tets())}}));
  parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, scale * Vec3(0, -9.81, 0)));
  Support wall{{}, stand_still()};
  for (int v = 0; v < mesh.vertices(); ++v)
    if (mesh.X(v, 0) < 1e-9 * scale) wall.vertices.push_back(v);
  parts.supports.push_back(std::move(wall));
  const NodalSystem system(std::move(parts));
  const auto stepper = prepared(system, integrator(method, settings));
  State state = at_rest(system);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(stepper->step(state, 0.01).status, StepStatus::ok) << method;
  return state.q / scale;
}

TEST(ImplicitIntegrator, does_the_same_at_a_thousandth_of_the_size) {
  // Rounding alone, which 40 steps carry on, makes a difference. With a tolerance in m/s it was 1e-3.
  for (const char* method : {"be", "im", "bdf2", "newmark", "genalpha"}) {
    for (const char* solver : {"newton", "minimize", "quasi-newton"}) {
      const Settings settings = {{"solver", solver}};
      const VectorXd large = scaled_swing(1, method, settings), small = scaled_swing(1e-3, method, settings);
      // The factor of quasi-Newton is in single precision.
      const double rounding = std::string(solver) == "quasi-newton" ? 1e-7 : 1e-10;
      EXPECT_LT((large - small).lpNorm<Eigen::Infinity>(), rounding) << method << ", " << solver;
    }
  }
}

TEST(ImplicitIntegrator, needs_as_many_iterations_for_a_body_in_flight) {
  // What is compared is the change of the velocity: a body that flies past vibrates as one that stays.
  const NodalSystem system = Bar(2, false, law("neo-hookean", {{"E", 1e5}, {"nu", 0.4}})).system();
  const auto ends = [&](double speed) {
    const auto be = prepared(system, integrator("be"));
    State state = at_rest(system);
    for (Index i = 0; i < state.q.size() / 3; ++i) {
      state.v[3 * i] = speed;
      state.v[3 * i + 1] = state.q[3 * i] * state.q[3 * i];  // bends it
    }
    for (int i = 0; i < 30; ++i) EXPECT_EQ(be->step(state, 0.01).status, StepStatus::ok);
    for (Index i = 0; i < state.q.size() / 3; ++i) state.q[3 * i] -= speed * 0.3;
    return state.q;
  };
  EXPECT_LT((ends(0) - ends(100)).lpNorm<Eigen::Infinity>(), 1e-7);
}

}  // namespace
}  // namespace brio

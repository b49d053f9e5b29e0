// Quasistatic points follow what moves by itself: supports, obstacles, loads.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/optimize/relax.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <gtest/gtest.h>

#include "integrate/condensed_bodies.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::condensed;
using testing::LinearSprings;
using testing::vertex_at;

/// Pulls along x at a constant speed, or to and fro across.
class Pull : public Motion {
 public:
  explicit Pull(bool to_and_fro = false) : to_and_fro_(to_and_fro) {}
  Pose pose(double t) const override {
    Pose pose;
    pose.p = to_and_fro_ ? Vec3(0, 0.02 * std::sin(10 * t), 0) : Vec3(0.1 * t, 0, 0);
    pose.linear_velocity = to_and_fro_ ? Vec3(0, 0.2 * std::cos(10 * t), 0) : Vec3(0.1, 0, 0);
    return pose;
  }
  bool moves() const override { return true; }

 private:
  bool to_and_fro_;
};

Bar pulled_bar(bool to_and_fro) {
  Bar bar(1, true);
  Support puller{{}, std::make_shared<Pull>(to_and_fro)};
  for (int v = 0; v < bar.mesh.vertices(); ++v)
    if (bar.mesh.X(v, 0) > 0.4 - 1e-9) puller.vertices.push_back(v);
  bar.parts.supports.push_back(puller);
  return bar;
}

/// How far the quasistatic points are from rest, with the nodes held where they are [m].
double distance_from_rest(const NodalSystem& system, const State& state, const std::vector<int>& nodes) {
  NodalLinearization lin(system);
  std::vector<int> points;
  for (int vertex : nodes) points.push_back(system.point_of(vertex));
  VectorXd q = state.q;
  EXPECT_TRUE(relax(system, lin, state.t, points, {}, q).converged);
  return (q - state.q).lpNorm<Eigen::Infinity>();
}

TEST(CondensedFollowing, a_linear_body_goes_with_its_support_and_what_was_left_decays) {
  Bar bar = pulled_bar(true);
  bar.parts.energies[0] = std::make_unique<LinearSprings>(bar.mesh, 50.0);
  const NodalSystem system = bar.with_gravity().system();
  CondensationOptions options;
  options.gamma = 0.25;
  const auto method = condensed({}, "si", options);
  method->prepare(system);
  State state = at_rest(system);  // which is not where these springs are at rest
  double left = distance_from_rest(system, state, {});
  ASSERT_GT(left, 0.01);
  for (int i = 0; i < 80; ++i) {
    ASSERT_EQ(method->step(state, 0.01).status, StepStatus::ok);
    const double now = distance_from_rest(system, state, {});
    // Whatever the support does. Round-off of the solver: 1e-12 of the size of the body.
    EXPECT_NEAR(now, 0.75 * left, 4e-13) << i;
    left = now;
  }
  EXPECT_LT(left, 1e-10);
}

/// The error of the linearization is of second order in what a step brings; a lag behind the support would be of first.
TEST(CondensedFollowing, an_elastic_body_lags_by_second_order_only) {
  const NodalSystem system = pulled_bar(true).system();
  const auto farthest = [&](double h, const std::vector<int>& nodes) {
    State state = at_rest(system);
    const auto method = condensed(nodes);
    method->prepare(system);
    double worst = 0;
    for (double end = 0.3; state.t < end - h / 2;) {
      EXPECT_EQ(method->step(state, h).status, StepStatus::ok);
      worst = std::max(worst, distance_from_rest(system, state, nodes));
    }
    return worst;
  };
  for (const std::vector<int>& nodes : {std::vector<int>{}, {vertex_at(system, {0.2, 0, 0})}}) {
    const double coarse = farthest(0.004, nodes), fine = farthest(0.002, nodes);
    EXPECT_GT(coarse, 3 * fine);  // 4 in the limit
    // The support goes 0.8 mm a step. With gamma = 1/3 alone what is next to it would stay two such steps behind.
    EXPECT_LT(coarse, 0.05 * 0.8e-3);
  }
}

TEST(CondensedFollowing, is_no_loss) {
  const NodalSystem system = pulled_bar(false).system();
  /// What the books have as dissipated after the pull, over the energy that is then in the bar.
  const auto loss = [&](bool newton, double h) {
    CondensationOptions options;
    options.newton = newton;
    State state = at_rest(system);
    const auto method = condensed({}, "si", options);
    method->prepare(system);
    EnergyBudget budget(system, state);
    while (state.t < 0.5 - h / 2) {
      const StepReport report = method->step(state, h);
      EXPECT_EQ(report.status, StepStatus::ok);
      budget.book(state, report.dissipated);
    }
    EXPECT_GT(budget.total(), 1);
    // Nothing has inertia here, so that the books close but for the trapezoidal rule.
    EXPECT_NEAR(budget.total(), budget.injected() - budget.dissipated(), 1e-3 * budget.total());
    return std::fabs(budget.dissipated()) / budget.total();
  };
  EXPECT_LT(loss(true, 0.01), 1e-3);
  // With gamma the error of the linearization is left, h^2 in a step; all steps together make h of it.
  const double coarse = loss(false, 0.01), fine = loss(false, 0.005);
  EXPECT_LT(coarse, 5e-3);
  EXPECT_LT(fine, 0.6 * coarse);
}

}  // namespace
}  // namespace brio

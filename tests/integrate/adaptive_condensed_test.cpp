// Nodes that fall asleep and wake up, and the rate of stretching by which they do.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/integrate/methods/condensed.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>
#include <numeric>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::integrator;

struct Adaptive {
  Bar bar{1, true};
  TetMesh mesh = bar.mesh;
  NodalSystem system = bar.with_gravity().system();
  std::vector<int> nodes = {nearest({0.4, 0, 0}), nearest({0.2, 0, 0})};

  int nearest(const Vec3& x) const {
    Index best;
    (mesh.X.rowwise() - x.transpose()).rowwise().norm().minCoeff(&best);
    return static_cast<int>(best);
  }
  std::unique_ptr<CondensedIntegrator> method(std::optional<AdaptiveOptions> adaptive) const {
    CondensationOptions options;
    options.adaptive = adaptive;
    const auto regions = std::make_shared<StretchRate>(mesh.X, mesh.T, nearest_regions(mesh.X, mesh.T, nodes), 2);
    return std::make_unique<CondensedIntegrator>([] { return integrator("si"); }, options, DynamicNodes{nodes, {}},
                                                 adaptive ? regions : nullptr);
  }
};

TEST(AdaptiveCondensed, threshold_zero_is_always_dynamic) {
  const Adaptive a;
  State always = at_rest(a.system), adaptive = always;
  const auto plain = a.method({}), watched = a.method(AdaptiveOptions{0, 3, 0});
  plain->prepare(a.system);
  watched->prepare(a.system);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(plain->step(always, 0.01).status, StepStatus::ok);
    const StepReport report = watched->step(adaptive, 0.01);
    EXPECT_EQ(testing::extra(report, "dynamic_nodes"), 2);
    EXPECT_EQ(testing::extra(report, "switches"), 0);
  }
  EXPECT_TRUE(always.q == adaptive.q && always.v == adaptive.v);
}

TEST(AdaptiveCondensed, a_body_wakes_up_and_falls_asleep) {
  const Adaptive a;
  State state = at_rest(a.system);
  const auto method = a.method(AdaptiveOptions{0.02, 5, 0.2});
  method->prepare(a.system);
  double most = 0, switches = 0, last = 0;
  for (int i = 0; i < 600; ++i) {
    const StepReport report = method->step(state, 0.01);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_EQ(report.liveliness.size(), 2u);
    if (i == 0) {
      EXPECT_EQ(testing::extra(report, "dynamic_nodes"), 0);
    }  // nothing moves yet
    most = std::max(most, testing::extra(report, "dynamic_nodes"));
    switches += testing::extra(report, "switches");
    last = testing::extra(report, "dynamic_nodes");
  }
  EXPECT_EQ(most, 2);
  EXPECT_EQ(last, 0);
  EXPECT_GE(switches, 4);
  EXPECT_LT(state.v.norm(), 1e-12);
}

TEST(AdaptiveCondensed, same_bits_with_a_fresh_integrator_and_with_any_number_of_threads) {
  const Adaptive a;
  const auto run = [&](int threads, bool fresh) {
    set_thread_count(threads);
    State state = at_rest(a.system);
    const auto make = [&] { return testing::prepared(a.system, a.method(AdaptiveOptions{0.2, 4, 0.3})); };
    auto method = make();
    for (int i = 0; i < 60; ++i) {
      if (fresh) method = make();
      EXPECT_EQ(method->step(state, 0.01).status, StepStatus::ok);
    }
    set_thread_count(0);
    return state;
  };
  const State kept = run(1, false);
  for (const State& other : {run(1, true), run(3, false)}) {
    EXPECT_TRUE(kept.q == other.q && kept.v == other.v);
    ASSERT_EQ(kept.memory.size(), other.memory.size());
    for (size_t i = 0; i < kept.memory.size(); ++i) EXPECT_TRUE(kept.memory[i] == other.memory[i]);
  }
  const Remembered* settling = find_remembered(kept.memory, "velocity of settling");
  ASSERT_TRUE(settling && find_remembered(kept.memory, "rates of stretching"));
  EXPECT_EQ(settling->kind, Remembered::Kind::directions);
  EXPECT_EQ(settling->values.size(), a.system.dofs());
}

TEST(AdaptiveCondensed, needs_a_region_for_each_node) {
  CondensationOptions options;
  options.adaptive = AdaptiveOptions{};
  EXPECT_THROW(CondensedIntegrator([] { return integrator("si"); }, options, {{1, 2}, {}}), Error);
}

TEST(StretchRate, of_uniform_stretching_is_its_rate) {
  const TetMesh mesh = Bar(1, false).mesh;
  const std::vector<int> region(mesh.tets(), 0);
  const StretchRate rate(mesh.X, mesh.T, region, 2);
  // x = (1 + e t) X along x: S' = diag(e, 0, 0), whose nine entries have the mean e / 9, however the body turns.
  const double e = 0.7;
  MatrixX3d u = MatrixX3d::Zero(mesh.vertices(), 3);
  u.col(0) = e * mesh.X.col(0);
  u.col(1) += -5 * mesh.X.col(2);
  u.col(2) += 5 * mesh.X.col(1);
  VectorXd found;
  rate.measure(mesh.X, u, found);
  EXPECT_NEAR(found[0], e / 9, 1e-12);
  EXPECT_EQ(found[1], 0);  // a region without tetrahedra
}

TEST(StretchRate, regions_are_those_of_the_nearest_center) {
  const TetMesh mesh = Bar(2, false).mesh;
  const Adaptive a;
  std::vector<int> centers;
  for (double x : {0.0, 0.4}) {
    Index best;
    (mesh.X.rowwise() - Vec3(x, 0, 0).transpose()).rowwise().norm().minCoeff(&best);
    centers.push_back(static_cast<int>(best));
  }
  const std::vector<int> region = nearest_regions(mesh.X, mesh.T, centers);
  for (int t = 0; t < mesh.tets(); ++t) {
    double x = 0;
    for (int c = 0; c < 4; ++c) x += mesh.X(mesh.T(t, c), 0) / 4;
    if (x < 0.15) {
      EXPECT_EQ(region[t], 0);
    }
    if (x > 0.25) {
      EXPECT_EQ(region[t], 1);
    }
  }
  EXPECT_EQ(nearest_regions(mesh.X, mesh.T, {})[0], -1);
}

}  // namespace
}  // namespace brio

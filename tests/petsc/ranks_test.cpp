// Ranks and what they divide: exchanges, errors, and a system that several compute.

#include "brio/core/error.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <gtest/gtest.h>

#include "petsc/one_rank.hpp"
#include "support/engine_cases.hpp"
#include <cmath>
#include <numeric>

namespace brio::testing {
namespace {

TEST(Ranks, sum_in_their_order_and_agree) {
  const int n = ranks().count();
  double values[2] = {ranks().rank() + 1.0, 0.1};
  sum_over_ranks(values, 2);
  EXPECT_EQ(values[0], n * (n + 1) / 2.0);
  double tenths = n > 1 ? 0 : 0.1;
  for (int r = 0; n > 1 && r < n; ++r) tenths += 0.1;
  EXPECT_EQ(values[1], tenths);
  EXPECT_TRUE(first_rank_says(ranks().rank() == 0));
  std::string bytes = ranks().rank() == n - 1 ? std::string(100000, 'x') : "";
  ranks().broadcast(bytes, n - 1);
  EXPECT_EQ(bytes, std::string(100000, 'x'));
}

TEST(Ranks, throw_together_what_one_of_them_throws) {
  const int last = ranks().count() - 1;
  std::string text;
  try {
    on_all_ranks([&] {
      if (ranks().rank() == last) throw Error("no room");
    });
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_EQ(text, last == 0 ? "no room" : fmt::format("rank {} of {}: no room", last, last + 1));
  EXPECT_NO_THROW(require_same_on_all_ranks("same", "the scene"));
  if (last > 0) {
    EXPECT_THROW(require_same_on_all_ranks(fmt::format("{}", ranks().rank()), "the scene"), Error);
  }
}

TEST(Ranks, exchange_rows) {
  const int n = 97, count = ranks().count();
  std::vector<int> owner(n);
  for (int i = 0; i < n; ++i) owner[i] = i * i % count;
  const SharedRows rows(owner);
  std::vector<double> values(3 * n, -1);
  for (int i = 0; i < n; ++i)
    if (owner[i] == ranks().rank())
      for (int c = 0; c < 3; ++c) values[3 * i + c] = 10 * i + c;
  rows.exchange(values.data());
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) EXPECT_EQ(values[3 * i + c], 10 * i + c);
  EXPECT_EQ(rows.owner(), count > 1 ? owner : std::vector<int>());
}

/// A body that is bent and stretched, in a place of its own.
VectorXd bent(const NodalSystem& system) {
  VectorXd q = system.rest();
  for (Index i = 0; i < q.size(); i += 3) {
    q[i + 1] -= 0.4 * q[i] * q[i];
    q[i + 2] *= 1.05;
  }
  return q;
}

struct Measured {
  Potentials potentials;
  VectorXd gradient, product, of_derivatives, damped;
  MatrixXd block;
  std::vector<std::vector<int>> free_pieces;
  Determinants determinants;
};

Measured measure(const Simulation& simulation) {
  const NodalSystem& system = *simulation.system;
  const VectorXd q = bent(system);
  Measured m;
  m.potentials = system.potentials_and_gradient(0.01, q, m.gradient);
  const double again = system.potentials(0.01, q).total();
  EXPECT_NEAR(again, m.potentials.total(), 1e-12 * std::fabs(again));
  NodalLinearization lin(system);
  lin.assemble(0.01, q, Psd::none, m.of_derivatives);
  lin.multiply_stiffness(m.gradient, m.product);
  lin.multiply_damping(m.gradient, m.damped);
  MatrixXd three(q.size(), 3);
  three << q, m.gradient, m.product;
  m.block.resize(q.size(), 3);
  lin.multiply_stiffness_block(three, m.block);
  m.free_pieces = system.free_pieces();
  MatrixX3d x;
  system.positions(0.01, q, x);
  if (const auto found = simulation.determinants(x)) m.determinants = *found;
  return m;
}

/// What ranks compute together is what one computes alone, to round-off.
TEST(SharedSystem, has_the_energies_forces_and_products_of_one_process) {
  const Overrides damped = {"damping.beta=0.01", "damping.alpha=0.1"};
  const std::vector<std::function<Simulation(const Overrides&)>> makers = {
      [&](const Overrides& o) { return bar(with(damped, o)); },
      [](const Overrides& o) { return scene("muscle-bar", o); },
      [](const Overrides& o) { return scene("rope", o); },
      [](const Overrides& o) { return scene("twenty-balls", o); },
      [&](const Overrides& o) { return bar(with({"mesh.order=2"}, o)); },
      [](const Overrides& o) { return scene("tied-bars", o); }};
  for (size_t i = 0; i < makers.size(); ++i) {
    SCOPED_TRACE(i);
    const Overrides si = {"integrator.name=si"};
    const Measured one = alone([&] { return measure(makers[i](si)); });
    const Measured all = measure(makers[i](with(si, {"integrator.engine=petsc"})));
    const auto near = [](const auto& a, const auto& b) { return (a - b).norm() <= 1e-12 * a.norm(); };
    EXPECT_NEAR(all.potentials.elastic, one.potentials.elastic, 1e-12 * std::fabs(one.potentials.elastic));
    EXPECT_NEAR(all.potentials.gravity, one.potentials.gravity, 1e-12 * std::fabs(one.potentials.gravity));
    ASSERT_GT(one.gradient.norm(), 0);
    EXPECT_TRUE(near(one.gradient, all.gradient));
    EXPECT_TRUE(near(one.of_derivatives, all.of_derivatives));
    EXPECT_TRUE(near(one.product, all.product));
    EXPECT_TRUE(near(one.damped, all.damped));
    EXPECT_TRUE(near(one.block, all.block));
    EXPECT_EQ(one.free_pieces, all.free_pieces);
    EXPECT_EQ(one.determinants.inverted, all.determinants.inverted);
    EXPECT_EQ(one.determinants.smallest, all.determinants.smallest);
  }
}

/// Each rank has about its share of the elements, and none has them all.
TEST(SharedSystem, is_divided_evenly) {
  const int count = ranks().count();
  Simulation simulation = scene("bar-5k", {"integrator.engine=petsc"});
  if (count == 1) GTEST_SKIP() << "one rank has all";
  const double points = simulation.system->points(), own = static_cast<double>(simulation.system->shared_points().own().size());
  EXPECT_LT(own, 1.2 * points / count);
  EXPECT_GT(own, 0.8 * points / count);
  const int whole = alone([] { return scene("bar-5k", {}).system->pattern()->slots(); });
  EXPECT_LT(simulation.system->pattern()->slots(), (1.0 / count + 0.35) * whole);
}

TEST(SharedSystem, is_refused_where_ranks_would_be_idle_or_the_matrix_must_be_whole) {
  if (ranks().count() < 2) GTEST_SKIP() << "one rank";
  const auto refusal = [](const Overrides& overrides) -> std::string {
    try {
      bar(overrides);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto expect = [](const std::string& text, const Overrides& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const std::string one_tet = R"(mesh={"generate": "given", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tets": [0,1,2,3]})";
  expect(refusal({one_tet, "constraints=[]", "integrator.engine=petsc"}), {"1 elements", "ranks"});
  expect(refusal({"integrator.engine=direct"}), {"integrator.engine", "direct", "ranks", "petsc"});
  expect(refusal({"integrator.engine=petsc", "integrator.name=be", "integrator.solver=quasi-newton"}), {"constant"});
}

}  // namespace
}  // namespace brio::testing

// Condensed tissue on bones: joints and dynamic nodes in one solve, against dense algebra and the whole body.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/integrate/methods/condensed.hpp"
#include "brio/system/bone_linearization.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/limb.hpp"
#include <algorithm>

namespace brio {
namespace {

using testing::Limb;

std::vector<int> tissue_vertices(const Limb& limb) {
  const BoneChart chart(*limb.system, limb.points);
  std::vector<int> vertices;
  for (int v = 0; v < limb.system->vertices(); ++v)
    if (const int p = chart.point_of(v); p >= 0 && p < chart.own_points()) vertices.push_back(v);
  return vertices;
}

std::unique_ptr<Integrator> condensed_limb(const Limb& limb, std::vector<int> nodes, const std::string& name,
                                           CondensationOptions options = {},
                                           std::map<std::string, OptionValue> inner = {}) {
  auto method = std::make_unique<CondensedIntegrator>([=] { return testing::tight_integrator(name, inner); }, options,
                                                      DynamicNodes{std::move(nodes), {}});
  return std::make_unique<BoneIntegrator>(limb.points, std::move(method));
}

TEST(CondensedTissue, joints_and_nodes_lead_as_partitioned_solves_say) {
  const Limb limb(JointKind::spherical, {0, -9.81, 0});
  BoneChart chart(*limb.system, limb.points);
  State local = chart.enter(limb.moving(VectorXd::LinSpaced(6, -1, 1)));
  for (Index i = 0; i < chart.tissue(); ++i) local.q[i] += 2e-3 * std::sin(1.3 * static_cast<double>(i));
  const std::vector<int> points = {1, 4};
  CondensedSystem small(chart, points);
  ASSERT_TRUE(small.rebase(0, local.q, local.v, 0.01, false).ok);
  const Index n = chart.dofs();
  ASSERT_EQ(small.dofs(), 6 + 6);

  MatrixXd K(n, n);
  small.full_linearization().multiply_stiffness_block(MatrixXd::Identity(n, n), K);
  std::vector<Index> b, q;
  for (int point : points)
    for (int k = 0; k < 3; ++k) b.push_back(3 * point + k);
  for (Index j = chart.tissue(); j < n; ++j) b.push_back(j);
  for (Index i = 0; i < n; ++i)
    if (!std::count(b.begin(), b.end(), i)) q.push_back(i);
  MatrixXd J = MatrixXd::Zero(n, small.dofs());
  for (size_t i = 0; i < b.size(); ++i) J(b[i], i) = 1;
  const Eigen::PartialPivLU<MatrixXd> Kqq(MatrixXd(K(q, q)));
  J(q, Eigen::all) = -MatrixXd(Kqq.solve(MatrixXd(K(q, b))));
  // Round-off times the condition of K_qq, some 1e3.
  EXPECT_LT((small.jacobian() - J).norm(), 1e-11 * J.norm());
  VectorXd g, step = VectorXd::Zero(n);
  chart.gradient(0, local.q, g);
  step(q) = -VectorXd(Kqq.solve(VectorXd(g(q))));
  EXPECT_LT((small.newton_step() - step).norm(), 1e-10 * step.norm());
  EXPECT_LT((small.inertia() - J.transpose() * chart.mass().asDiagonal() * J).norm(), 1e-11 * small.inertia().norm());

  // S^T K S without a second pass over K, against the product with all of K.
  MatrixXd reduced, damping;
  small.derivatives(0, VectorXd::Zero(small.dofs()), Psd::none, g, reduced, damping);
  MatrixXd S(n, small.dofs());
  VectorXd column;
  for (Index i = 0; i < small.dofs(); ++i) {
    small.lift(VectorXd::Unit(small.dofs(), i), column);
    S.col(i) = column;
  }
  EXPECT_LT((reduced - S.transpose() * K * S).norm(), 1e-9 * reduced.norm());
}

TEST(CondensedTissue, all_vertices_dynamic_is_the_whole_body) {
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 0.05);
  State a = limb.moving((VectorXd(6) << 0.5, 0, 2, 0, 0.3, 1).finished()), b = a;
  BoneIntegrator whole(limb.points, testing::tight_integrator("si"));
  whole.prepare(*limb.system);
  const auto all = condensed_limb(limb, tissue_vertices(limb), "si");
  all->prepare(*limb.system);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(whole.step(a, 5e-3).status, StepStatus::ok);
    ASSERT_EQ(all->step(b, 5e-3).status, StepStatus::ok);
  }
  ASSERT_GT((a.q - limb.system->rest()).norm(), 0.01);
  EXPECT_LT((a.q - b.q).norm(), 1e-8 * (a.q - limb.system->rest()).norm());
  EXPECT_LT((a.v - b.v).norm(), 1e-8 * a.v.norm());
}

/// Of the energy after the first step, which takes the still tissue along.
struct Books {
  double gap = 0, dissipated = 0, stretched = 0;
};

Books books_of(const Limb& limb, double h) {
  State state = limb.moving((VectorXd(6) << 0, 0, 2, 0.5, 0, 0).finished());
  const std::vector<int> tissue = tissue_vertices(limb);
  CondensationOptions options;
  options.newton = true;
  const auto method = condensed_limb(limb, {tissue[tissue.size() / 2]}, "im", options);
  method->prepare(*limb.system);
  EXPECT_EQ(method->step(state, h).status, StepStatus::ok);
  EnergyBudget budget(*limb.system, state);
  const double start = budget.total();
  Books books;
  for (int i = 0; i < std::lround(0.2 / h); ++i) {
    const StepReport report = method->step(state, h);
    EXPECT_EQ(report.status, StepStatus::ok) << report.reason;
    budget.book(state, report.dissipated);
    const double gap = std::fabs(budget.total() + budget.dissipated() - budget.injected() - start);
    books.gap = std::max(books.gap, gap / start);
    books.stretched = std::max(books.stretched, budget.potentials().elastic / start);
  }
  books.dissipated = budget.dissipated() / start;
  return books;
}

TEST(CondensedTissue, energy_of_bones_and_tissue_closes) {
  // Undamped and unforced: two bones on ball joints, one of them moving, and the tissue between them led by one vertex.
  const Limb limb(JointKind::spherical, {0, 0, 0});
  const Books coarse = books_of(limb, 1e-3), fine = books_of(limb, 5e-4);
  ASSERT_GT(fine.stretched, 0.1);  // the tissue did take part
  // Within a step im keeps the energy to second order; what turning J takes from one step to the next is booked, and is
  // of first order.
  EXPECT_LT(fine.gap, 1e-5);
  EXPECT_LT(fine.gap, 0.4 * coarse.gap);
  EXPECT_LT(fine.dissipated, 2e-3);
}

TEST(CondensedTissue, rests_where_the_whole_body_rests) {
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 5);
  const auto rest = [&](Integrator& method) {
    method.prepare(*limb.system);
    State state = limb.moving(VectorXd::Zero(6));
    double moved = 1;
    for (int i = 0; i < 3000 && moved > 1e-13; ++i) {
      const VectorXd before = state.q;
      EXPECT_EQ(method.step(state, 0.02).status, StepStatus::ok);
      moved = (state.q - before).lpNorm<Eigen::Infinity>();
    }
    return state.q;
  };
  BoneIntegrator whole(limb.points, testing::tight_integrator("si"));
  const std::vector<int> tissue = tissue_vertices(limb);
  const VectorXd a = rest(whole), b = rest(*condensed_limb(limb, {tissue[tissue.size() / 2]}, "si"));
  ASSERT_GT((a - limb.system->rest()).lpNorm<Eigen::Infinity>(), 1e-3);
  EXPECT_LT((a - b).lpNorm<Eigen::Infinity>(), 1e-8);
}

}  // namespace
}  // namespace brio

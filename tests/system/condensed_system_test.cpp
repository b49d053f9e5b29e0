// The condensed system against what its definition says, computed with dense matrices.

#include "brio/core/error.hpp"
#include "brio/system/condensed_linearization.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include <algorithm>

namespace brio {
namespace {

using testing::Bar;
using testing::shaken;

MatrixXd dense(const Linearization& lin, Index n) {
  MatrixXd K(n, n);
  VectorXd column;
  for (Index i = 0; i < n; ++i) {
    lin.multiply_stiffness(VectorXd::Unit(n, i), column);
    K.col(i) = column;
  }
  return K;
}

struct Condensed {
  NodalSystem full;
  std::vector<int> points{3, 11, 12};  // 11 and 12 are neighbors: their block is cleared twice
  VectorXd q, v;
  CondensedSystem system;
  CondensationReport report;

  explicit Condensed(Bar bar)
      : full(bar.with_gravity().system()),
        q(full.free_part(shaken(full.rest_positions(), 2e-3))),
        v(full.free_part(shaken(MatrixX3d::Zero(full.vertices(), 3), 0.5, 7))),
        system(full, points) {
    report = system.rebase(0.1, q, v, 0.01, false);
  }
};

TEST(CondensedSystem, in_place_equals_partitioned_solves) {
  Condensed c(Bar(1, true));
  ASSERT_TRUE(c.report.ok);
  const Index n = c.full.dofs();
  const MatrixXd K = dense(c.system.full_linearization(), n);
  std::vector<int> d, s;
  for (int i = 0; i < n; ++i) (std::count(c.points.begin(), c.points.end(), i / 3) ? d : s).push_back(i);
  d.clear();
  for (int point : c.points)
    for (int k = 0; k < 3; ++k) d.push_back(3 * point + k);
  const MatrixXd Kqq = K(s, s), Kqd = K(s, d);
  const MatrixXd Jqd = -Kqq.partialPivLu().solve(Kqd);
  // Condition of K_qq times round-off is some 1e-12.
  EXPECT_LT((c.system.jacobian()(s, Eigen::all) - Jqd).norm(), 1e-10 * Jqd.norm());
  EXPECT_LT((c.system.jacobian()(d, Eigen::all) - MatrixXd::Identity(9, 9)).norm(), 1e-15);
  VectorXd g;
  c.full.gradient(0.1, c.q, g);
  const VectorXd step = Kqq.partialPivLu().solve(-g(s));
  EXPECT_LT((c.system.newton_step()(s) - step).norm(), 1e-10 * step.norm());
  EXPECT_EQ(c.system.newton_step()(d).norm(), 0);
  EXPECT_EQ(c.report.solves, 10);
  EXPECT_EQ(c.report.factorizations, 1);
}

TEST(CondensedSystem, other_nodes_need_no_other_object) {
  Condensed c(Bar(1, true));
  c.system.set_boundary({5});
  ASSERT_TRUE(c.system.rebase(0.1, c.q, c.v, 0.01, false).ok);
  CondensedSystem fresh(c.full, {5});
  ASSERT_TRUE(fresh.rebase(0.1, c.q, c.v, 0.01, false).ok);
  EXPECT_TRUE(c.system.jacobian() == fresh.jacobian());
  EXPECT_TRUE(c.system.newton_step() == fresh.newton_step());
}

TEST(CondensedSystem, mass_is_the_identity_and_projection_undoes_lifting) {
  Condensed c(Bar(1, true));
  const VectorXd xi = VectorXd::Random(9);
  VectorXd field, back;
  c.system.lift(xi, field);
  EXPECT_NEAR(field.dot(c.full.mass().cwiseProduct(field)), xi.squaredNorm(), 1e-12);
  c.system.project(field, back);
  EXPECT_LT((back - xi).norm(), 1e-12);
  // What the projection leaves out is orthogonal to all that the body can do.
  c.system.project(c.v, back);
  c.system.lift(back, field);
  c.system.project(c.v - field, back);
  EXPECT_LT(back.norm(), 1e-12);
}

TEST(CondensedSystem, gradient_and_stiffness_are_derivatives_of_the_energy) {
  Condensed c(Bar(1, true));
  const double t = 0.1, e = 1e-6;
  CondensedLinearization lin(c.system);
  for (const VectorXd& xi : {VectorXd(VectorXd::Zero(9)), VectorXd(2e-3 * VectorXd::Random(9))}) {
    VectorXd g, g2, low, high;
    c.system.gradient(t, xi, g);
    lin.assemble(t, xi, Psd::none, g2);
    EXPECT_LT((g - g2).norm(), 1e-12 * g.norm());
    ASSERT_GT(g.norm(), 1e-3);
    for (int i = 0; i < 9; ++i) {
      const VectorXd step = e * VectorXd::Unit(9, i);
      const double slope = (c.system.potentials(t, xi + step).total() - c.system.potentials(t, xi - step).total());
      EXPECT_NEAR(slope / (2 * e), g[i], 1e-6 * g.norm());  // round-off of the energy over e
      VectorXd column;
      lin.multiply_stiffness(VectorXd::Unit(9, i), column);
      c.system.gradient(t, xi + step, high);
      c.system.gradient(t, xi - step, low);
      EXPECT_LT(((high - low) / (2 * e) - column).norm(), 1e-6 * column.norm());
    }
  }
}

TEST(CondensedSystem, damping_is_that_of_the_body) {
  for (bool rest : {true, false}) {
    Bar bar(1, true);
    bar.parts.damping = {0.3, 2e-3, rest};
    Condensed c(std::move(bar));
    VectorXd g, field, product, reduced, expected;
    CondensedLinearization lin(c.system);
    lin.assemble(0.1, VectorXd::Zero(9), Psd::none, g);
    const VectorXd xi = VectorXd::Random(9);
    lin.multiply_damping(xi, reduced);
    c.system.lift(xi, field);
    c.system.full_linearization().multiply_damping(field, product);
    EXPECT_NEAR(xi.dot(reduced), field.dot(product), 1e-10 * field.dot(product));
    EXPECT_EQ(lin.proportional_damping().has_value(), !rest);
  }
}

TEST(CondensedSystem, translations_of_a_free_body_are_in_its_space) {
  Bar bar(1, false);
  const NodalSystem full = bar.system();
  CondensedSystem system(full, {0, 7, 15});
  const VectorXd q = full.rest();
  const CondensationReport report = system.rebase(0, q, VectorXd::Zero(full.dofs()), 0.01, false);
  ASSERT_TRUE(report.ok);
  EXPECT_EQ(report.shifts, 0);
  const MatrixXd shift = Vec3(1, 2, 3).replicate(3, 1);
  EXPECT_LT((system.jacobian() * shift - Vec3(1, 2, 3).replicate(full.dofs() / 3, 1)).norm(), 1e-10);
}

TEST(CondensedSystem, what_nothing_holds_is_shifted_and_counted) {
  const NodalSystem full = Bar(1, false).system();
  CondensedSystem system(full, {4});  // K_qq is free to turn about the node
  const CondensationReport report = system.rebase(0, full.rest(), VectorXd::Zero(full.dofs()), 0.01, false);
  EXPECT_TRUE(report.ok);
  EXPECT_GT(report.shifts, 0);
  // The shortcut for the stiffness knows of the shift.
  MatrixXd K, D, again;
  VectorXd g;
  const VectorXd zero = VectorXd::Zero(3);
  system.derivatives(0, zero, Psd::clamp, g, K, D);
  system.derivatives(0, VectorXd::Constant(3, 1e-300), Psd::clamp, g, again, D);
  EXPECT_LT((K - again).norm(), 1e-9 * again.norm() + 1e-6);
}

TEST(CondensedSystem, far_too_many_nodes_are_refused) {
  const NodalSystem full = Bar(1, true).system();
  CondensedSystem system(full, {1});
  EXPECT_EQ(system.projective(), nullptr) << "its coordinates change with every step";
  EXPECT_THROW(system.set_boundary(std::vector<int>(1 << 22, 1)), Error);
}

}  // namespace
}  // namespace brio

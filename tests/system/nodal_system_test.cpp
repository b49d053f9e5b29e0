// The nodal system: supports, loads, damping, and the cantilever of the textbooks.

#include "brio/core/error.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include <cmath>
#include <numbers>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::law;

/// Lowest frequency [Hz] of a held bar, by inverse iteration with its own stiffness.
double lowest_frequency(const NodalSystem& system) {
  NodalLinearization lin(system);
  VectorXd g, y;
  lin.assemble(0, at_rest(system).q, Psd::none, g);
  EXPECT_EQ(lin.factor(0, 0, 1, 0), FactorStatus::ok);
  VectorXd u = VectorXd::Random(system.dofs());
  double lambda = 0;
  for (int i = 0; i < 60; ++i) {
    u = system.mass().cwiseProduct(u);
    lin.solve(u);
    u /= std::sqrt(u.dot(system.mass().cwiseProduct(u)));
    lin.multiply_stiffness(u, y);
    lambda = u.dot(y);
  }
  return std::sqrt(lambda) / (2 * std::numbers::pi);
}

TEST(Cantilever, frequency_tends_to_the_beam_formula) {
  // Width differs from height, so that the lowest bending mode stands alone.
  const double L = 1, height = 0.1, width = 0.15, E = 1e6, rho = 1000;
  const double I_over_A = height * height / 12;
  const double beam = 1.875104 * 1.875104 / (2 * std::numbers::pi) * std::sqrt(E * I_over_A / (rho * std::pow(L, 4)));
  double error[3];
  for (int level = 0; level < 3; ++level) {
    const int n = 2 << level;
    TetMesh mesh = make_box(Vec3(L, height, width), {5 * n, n, n}, 6);
    NodalParts parts;
    parts.x0 = mesh.X;
    parts.vertex_mass = testing::lumped_mass(mesh, rho);
    parts.energies.push_back(std::make_unique<ElasticEnergy>(
        mesh,
        std::vector<ElasticPart>{{law("corotated", {{"E", E}, {"nu", 0.0}}), testing::first_integers(mesh.tets())}}));
    Support wall{{}, stand_still()};
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 0) < 1e-9) wall.vertices.push_back(v);
    parts.supports.push_back(wall);
    error[level] = lowest_frequency(NodalSystem(std::move(parts))) / beam - 1;
  }
  // Linear tetrahedra are too stiff in bending and improve by four with each halving; the limit is the beam's frequency
  // but for shear and rotary inertia, about 1 % here.
  EXPECT_GT(error[0], error[1]);
  EXPECT_GT(error[1], error[2]);
  EXPECT_GT((error[0] - error[1]) / (error[1] - error[2]), 2.5);
  const double limit = error[2] - (error[1] - error[2]) / 3;
  EXPECT_NEAR(limit, 0, 0.025);
}

TEST(NodalSystem, supports_move_the_held_vertices_and_nothing_else) {
  Bar bar(2, true);
  const MotionEntry& row = find_row(motions(), "motion", "translate");
  bar.parts.supports[0].motion = row.make(Options(row.options, {{"velocity", Vec3(1, 0, 2)}}, "m"), "m");
  const std::vector<int> held = bar.parts.supports[0].vertices;
  const NodalSystem system = bar.system();
  EXPECT_TRUE(system.time_dependent());
  MatrixX3d x, u;
  const State state = at_rest(system);
  system.positions(0.5, state.q, x);
  system.velocities(0.5, state.v, u);
  for (int v = 0; v < system.vertices(); ++v) {
    const bool is_held = std::find(held.begin(), held.end(), v) != held.end();
    EXPECT_EQ(system.supported(v), is_held);
    const Eigen::RowVector3d moved = x.row(v) - system.rest_positions().row(v);
    EXPECT_LT((moved - (is_held ? Eigen::RowVector3d(0.5, 0, 1) : Eigen::RowVector3d::Zero())).norm(), 1e-15);
    EXPECT_EQ(u(v, 2), is_held ? 2 : 0);
  }
}

TEST(NodalSystem, gradient_is_the_slope_of_the_potentials_with_supports_in_place) {
  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  state.q += 0.01 * VectorXd::Random(state.q.size());
  VectorXd g;
  system.gradient(0, state.q, g);
  for (Index i = 0; i < g.size(); i += 5) {
    const VectorXd d = 1e-6 * VectorXd::Unit(g.size(), i);
    const double slope = (system.potentials(0, state.q + d).total() - system.potentials(0, state.q - d).total()) / 2e-6;
    EXPECT_NEAR(slope, g[i], 1e-6 * g.norm());
  }
}

TEST(NodalSystem, energies_are_booked_for_the_body_that_owns_them) {
  Bar bar(2, true);
  bar.with_gravity();
  const auto pull = [&](double stiffness) {
    return std::make_unique<AttachmentEnergy>(std::vector<int>{3, 7, 9}, bar.parts.x0, stiffness, stand_still());
  };
  EXPECT_EQ(Bar(1, true).system().bodies(), 1);
  bar.parts.energies.push_back({pull(50), 2});
  bar.parts.energies.push_back({pull(70), OwnedEnergy::kBetweenBodies});
  const NodalSystem system = bar.system();
  ASSERT_EQ(system.bodies(), 3);
  const VectorXd q = at_rest(system).q + 0.01 * VectorXd::Random(system.dofs());
  std::vector<Potentials> of;
  system.potentials_by_body(0, q, of);
  ASSERT_EQ(of.size(), 3u);
  const Potentials all = system.potentials(0, q);
  EXPECT_GT(of[2].elastic, 0);
  EXPECT_EQ(of[1].total(), 0) << "it owns nothing";
  EXPECT_EQ(of[0].gravity, all.gravity);
  // What is missing is the attachment between the bodies, 7/5 of the other one.
  EXPECT_NEAR(of[0].elastic + of[2].elastic * (1 + 7.0 / 5), all.elastic, 1e-12 * all.elastic);
}

TEST(NodalSystem, potential_change_is_that_of_the_potentials) {
  const MotionEntry& row = find_row(motions(), "motion", "translate");
  const std::shared_ptr<const Motion> moving = row.make(Options(row.options, {{"velocity", Vec3(1, 0, 2)}}, "m"), "m");
  for (bool support_moves : {false, true}) {
    Bar bar(2, true);
    bar.with_gravity();
    if (support_moves) bar.parts.supports[0].motion = moving;
    bar.parts.energies.push_back(
        std::make_unique<AttachmentEnergy>(std::vector<int>{3, 7, 9}, bar.parts.x0, 50.0, moving));
    const NodalSystem system = bar.system();
    const VectorXd q = at_rest(system).q + 0.01 * VectorXd::Random(system.dofs());
    const double before = system.potentials(0.1, q).total(), after = system.potentials(0.3, q).total();
    EXPECT_GT(std::fabs(after - before), 1e-3 * std::fabs(before)) << "nothing moved";
    // The difference of two sums loses the digits in which they agree.
    EXPECT_NEAR(system.potential_change(0.1, before, 0.3, q), after - before,
                1e-13 * (std::fabs(before) + std::fabs(after)));
  }
}

TEST(NodalLinearization, damping_of_the_mass_alone_needs_no_assembly) {
  Bar bar(1, true);
  bar.parts.damping.alpha = 3;
  const NodalSystem system = bar.system();
  const NodalLinearization lin(system);
  EXPECT_TRUE(lin.damping_is_constant());
  const VectorXd x = VectorXd::Random(system.dofs());
  VectorXd y;
  lin.multiply_damping(x, y);
  EXPECT_LE((y - 3 * system.mass().cwiseProduct(x)).norm(), 1e-15 * y.norm());
  for (bool at_rest : {true, false}) {
    Bar stiff(1, true);
    stiff.parts.damping.beta = 0.1;
    stiff.parts.damping.rest_stiffness = at_rest;
    const NodalSystem body = stiff.system();
    EXPECT_EQ(NodalLinearization(body).damping_is_constant(), at_rest);
  }
}

TEST(NodalLinearization, factors_the_combination_that_it_says) {
  for (bool rest : {true, false}) {
    Bar bar(2, true);
    bar.parts.damping = {0.3, 0.02, rest};
    const NodalSystem system = bar.system();
    NodalLinearization lin(system);
    State state = at_rest(system);
    state.q += 0.002 * VectorXd::Random(state.q.size());
    VectorXd g, Kx, Dx;
    lin.assemble(0, state.q, Psd::clamp, g);
    const double m = 1.5, d = 0.01, k = 1e-4, shift = 0.2;
    ASSERT_EQ(lin.factor(m, d, k, shift), FactorStatus::ok);
    const VectorXd x = VectorXd::Random(system.dofs());
    lin.multiply_stiffness(x, Kx);
    lin.multiply_damping(x, Dx);
    MatrixXd b = (m + shift) * system.mass().cwiseProduct(x) + d * Dx + k * Kx;
    lin.solve(b);
    EXPECT_LT((b - x).norm() / x.norm(), 1e-10);
  }
}

TEST(NodalLinearization, multiplies_several_columns_as_one_by_one) {
  for (const RayleighDamping& damping : {RayleighDamping{0.3, 0, false}, {0.3, 0.02, false}, {0.3, 0.02, true}}) {
    Bar bar(2, true);
    bar.parts.damping = damping;
    const NodalSystem system = bar.system();
    NodalLinearization lin(system);
    State state = at_rest(system);
    state.q += 0.002 * VectorXd::Random(state.q.size());
    VectorXd g, Kx, Dx;
    lin.assemble(0, state.q, Psd::clamp, g);
    const MatrixXd X = MatrixXd::Random(system.dofs(), 11);
    MatrixXd KX(X.rows(), X.cols()), DX = KX;
    lin.multiply_stiffness_block(X, KX);
    lin.multiply_damping_block(X, DX);
    for (Index c = 0; c < X.cols(); ++c) {
      lin.multiply_stiffness(X.col(c), Kx);
      lin.multiply_damping(X.col(c), Dx);
      // The same sums; only where multiplications and additions are fused may differ.
      EXPECT_LT((KX.col(c) - Kx).norm(), 1e-14 * Kx.norm());
      EXPECT_LT((DX.col(c) - Dx).norm(), 1e-14 * Dx.norm());
    }
  }
}

TEST(NodalSystem, refuses_what_cannot_be) {
  Bar twice(1, true);
  twice.parts.supports.push_back(twice.parts.supports[0]);
  EXPECT_THROW(twice.system(), Error);
  Bar massless(1, false);
  massless.parts.vertex_mass[3] = 0;
  try {
    massless.system();
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "vertex 3 has mass 0: must be > 0");
  }
}

}  // namespace
}  // namespace brio

// Shapes at rest against the closed form, against a long damped run, and from far away.

#include "brio/optimize/static_solve.hpp"

#include "brio/integrate/integrator.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::integrator;
using testing::law;
using testing::shaken;

VectorXd rest(const NodalSystem& system) { return system.free_part(system.rest_positions()); }

StaticReport solve(const NodalSystem& system, VectorXd& q, const StaticLimits& limits = {}) {
  return solve_static(system, 0, rest(system), limits, {}, q);
}

/// Sum of the forces that are left [N].
double unbalanced(const NodalSystem& system, const VectorXd& q) {
  VectorXd gradient, load;
  system.gradient(0, q, gradient);
  system.load(0, q, VectorXd::Zero(q.size()), load);
  return (gradient - load).lpNorm<1>();
}

/// Mean displacement along x of the end that is not held, of a bar that hangs along x [m].
double elongation(int cells, double E, double rho, double g) {
  Bar bar(cells, true, law("stvk", {{"E", E}, {"nu", 0.0}}), rho);
  const TetMesh mesh = bar.mesh;
  bar.with_gravity({g, 0, 0});
  const NodalSystem system = bar.system();
  VectorXd q = rest(system);
  EXPECT_EQ(solve(system, q).status, StaticStatus::converged);
  MatrixX3d x;
  system.positions(0, q, x);
  double sum = 0;
  int count = 0;
  for (int v = 0; v < mesh.vertices(); ++v)
    if (mesh.X(v, 0) > 0.4 - 1e-9) sum += x(v, 0) - mesh.X(v, 0), ++count;
  return sum / count;
}

TEST(StaticSolve, hanging_bar_is_as_long_as_the_closed_form) {
  // rho g L^2 / (2 E) for a strain of 4e-8, at which the law is linear. Without lateral contraction the only error is
  // that of linear elements.
  const double E = 1e11, rho = 1000, g = 9.81, L = 0.4, exact = rho * g * L * L / (2 * E);
  const auto error = [&](int cells) { return std::fabs(elongation(cells, E, rho, g) / exact - 1); };
  EXPECT_LT(error(1), 1e-3);
  EXPECT_LT(error(6), 1e-5);
  EXPECT_LT(error(6), 0.5 * error(3));
}

TEST(StaticSolve, is_where_a_long_damped_run_comes_to_rest) {
  Bar bar(2, true);
  bar.with_gravity();
  bar.parts.damping = {30, 0, true};
  const NodalSystem system = bar.system();
  VectorXd q = rest(system);
  const StaticReport report = solve(system, q, {1e-12, 100});
  ASSERT_EQ(report.status, StaticStatus::converged);
  EXPECT_TRUE(report.stable);
  EXPECT_LT(report.iterations, 20);

  State state = at_rest(system);
  const auto si = integrator("si");
  si->prepare(system);
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(si->step(state, 0.02).status, StepStatus::ok);
  const double sag = (q - rest(system)).norm();
  EXPECT_GT(sag, 0.01);
  EXPECT_LT((state.q - q).norm(), 1e-8 * sag);
}

TEST(StaticSolve, forces_balance_in_the_end_and_the_energy_falls_on_the_way) {
  Bar bar(2, true);
  bar.with_gravity({0, -100, 0});  // ten times its weight: it bends right over
  const NodalSystem system = bar.system();
  VectorXd q = rest(system);
  std::vector<double> energy, residual;
  const StaticReport report = solve_static(
      system, 0, rest(system), {1e-9, 200},
      [&](const StaticIterate& now) {
        energy.push_back(system.potentials(0, now.q).total());
        residual.push_back(now.residual);
        EXPECT_EQ(now.iteration + 1, static_cast<int>(energy.size()));
        return true;
      },
      q);
  ASSERT_EQ(report.status, StaticStatus::converged);
  // The held vertices carry their own weight, the rest of 4 kg is the load.
  EXPECT_GT(report.load, 300);
  EXPECT_LT(report.load, 400);
  EXPECT_DOUBLE_EQ(residual.front(), 1);
  EXPECT_LE(unbalanced(system, q), 1e-9 * report.load);
  for (size_t i = 1; i < energy.size(); ++i) EXPECT_LE(energy[i], energy[i - 1] + 1e-9);
  // Newton at the end: the residual is roughly squared from one iterate to the next.
  ASSERT_GT(residual.size(), 4u);
  EXPECT_LT(residual[residual.size() - 2], 0.05 * residual[residual.size() - 3]);
}

TEST(StaticSolve, recovers_from_far_away) {
  Bar straight(2, true);
  straight.with_gravity();
  const NodalSystem system = straight.system();
  VectorXd expected = rest(system);
  ASSERT_EQ(solve(system, expected, {1e-12, 100}).status, StaticStatus::converged);

  // Cells of 5 cm with vertices thrown about by 3 cm: many tetrahedra are inside out.
  for (int seed : {1, 2, 3}) {
    VectorXd q = system.free_part(shaken(system.rest_positions(), 0.03, seed));
    const StaticReport report = solve(system, q, {1e-12, 500});
    EXPECT_EQ(report.status, StaticStatus::converged);
    EXPECT_LT((q - expected).norm(), 1e-9 * expected.norm()) << seed;
  }
}

TEST(StaticSolve, a_free_body_without_load_takes_its_own_shape_somewhere) {
  Bar bar(2, false);
  const TetMesh mesh = bar.mesh;
  const NodalSystem system = bar.system();
  VectorXd q = system.free_part(shaken(system.rest_positions(), 0.01));
  const StaticReport report = solve(system, q);
  ASSERT_EQ(report.status, StaticStatus::converged);
  EXPECT_TRUE(report.stable) << "rigid motions are indifferent, not unstable";
  EXPECT_GT(report.shifts, 0);
  MatrixX3d x;
  system.positions(0, q, x);
  for (int e = 0; e < mesh.tets(); ++e)
    for (int a = 0; a < 3; ++a) {
      const int i = mesh.T(e, a), j = mesh.T(e, a + 1);
      EXPECT_NEAR((x.row(i) - x.row(j)).norm(), (mesh.X.row(i) - mesh.X.row(j)).norm(), 1e-6);
    }
}

TEST(StaticSolve, nothing_to_do_takes_no_iterations) {
  const NodalSystem system = Bar(2, true).system();
  VectorXd q = rest(system);
  const StaticReport report = solve(system, q);
  EXPECT_EQ(report.status, StaticStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.residual, 0);
  EXPECT_EQ(q, rest(system));
}

TEST(StaticSolve, says_when_it_cannot) {
  Bar falling(1, false);
  falling.with_gravity();
  const NodalSystem free = falling.system();
  VectorXd q = rest(free);
  EXPECT_EQ(solve(free, q).status, StaticStatus::escaped);

  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem held = bar.system();
  q = rest(held);
  const StaticReport hurried = solve(held, q, {1e-12, 1});
  EXPECT_EQ(hurried.status, StaticStatus::out_of_iterations);
  EXPECT_EQ(hurried.iterations, 1);

  q = rest(held);
  q[0] = std::nan("");
  EXPECT_EQ(solve(held, q).status, StaticStatus::stuck);

  q = rest(held);
  const auto never = [](const StaticIterate&) { return false; };
  EXPECT_EQ(solve_static(held, 0, rest(held), {}, never, q).status, StaticStatus::stopped);
}

TEST(StaticSolve, tells_a_pencil_on_its_tip) {
  // A slender bar that stands on its held end, with its own weight many times the one under which it buckles: straight,
  // the forces balance by symmetry, but not in a minimum.
  TetMesh mesh = make_box(Vec3(1, 0.05, 0.05), {20, 1, 1}, 5);
  const auto tower = [&](double jitter) {
    NodalParts parts;
    parts.x0 = mesh.X;
    parts.vertex_mass = testing::lumped_mass(mesh, 1000);
    parts.energies.push_back(std::make_unique<ElasticEnergy>(
        mesh, std::vector<ElasticPart>{
                  {law("stable-neo-hookean", {{"E", 2e5}, {"nu", 0.0}}), testing::first_integers(mesh.tets())}}));
    parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(-9.81, 0, 0)));
    Support ground{{}, stand_still()};
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 0) < 1e-9) ground.vertices.push_back(v);
    parts.supports.push_back(std::move(ground));
    const NodalSystem system(std::move(parts));
    VectorXd q = system.free_part(shaken(system.rest_positions(), jitter));
    const StaticReport report = solve(system, q);
    return std::pair(report, system.potentials(0, q).total());
  };
  const auto [straight, high] = tower(0);
  const auto [bent, low] = tower(1e-3);
  EXPECT_EQ(bent.status, StaticStatus::converged);
  EXPECT_TRUE(bent.stable);
  EXPECT_EQ(straight.status, StaticStatus::converged);
  EXPECT_FALSE(straight.stable);
  EXPECT_LT(low, high - 1);
}

}  // namespace
}  // namespace brio

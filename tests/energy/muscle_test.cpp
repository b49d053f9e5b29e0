// Muscle: the active tension's derivatives, its work in the books, and stiffness that is graded along an axis.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/energy/muscle_energy.hpp"
#include "brio/material/active_fiber.hpp"
#include "brio/material/materials.hpp"
#include "brio/system/nodal_system.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"

namespace brio {
namespace {

using testing::first_integers;
using testing::shaken;
using testing::soft_law;
using testing::stacked;

TEST(ActiveFiber, tension_is_the_slope_of_the_energy) {
  const ActiveFiber fiber{std::make_shared<double>(3.0), 0.4};
  const double d = 1e-6;
  for (double l : {0.3, 0.65, 0.9, 1.0, 1.2, 1.39, 1.7}) {
    EXPECT_NEAR(l * fiber.dpsi_over_l(l), (fiber.psi(l + d) - fiber.psi(l - d)) / (2 * d), 1e-8) << l;
    const auto slope = [&](double s) { return s * fiber.dpsi_over_l(s); };
    EXPECT_NEAR(fiber.d2psi(l), (slope(l + d) - slope(l - d)) / (2 * d), 1e-7) << l;
  }
  EXPECT_EQ(fiber.dpsi_over_l(1.0), 3.0);  // full strength at the best length
  EXPECT_EQ(fiber.dpsi_over_l(0.6), 0.0);
  EXPECT_EQ(fiber.dpsi_over_l(1.5), 0.0);
  EXPECT_NEAR(fiber.psi(0.5), 0, 1e-15);  // nothing left to do
  EXPECT_GT(fiber.psi(0.7), 0);
}

/// 0.4 x 0.1 x 0.1 m with fibers along x.
TetMesh fiberd_bar() {
  TetMesh mesh = testing::Bar(2, false).mesh;
  mesh.fiber = MatrixX3d::Zero(mesh.tets(), 3);
  mesh.fiber.col(0).setOnes();
  return mesh;
}

TEST(Muscle, pulls_with_its_stress_over_the_cross_section) {
  // At rest the tension is stress times activation along x: on the end face it adds up to stress times area.
  const TetMesh mesh = fiberd_bar();
  const double stress = 2e4;
  const MuscleEnergy muscle(mesh, {{first_integers(mesh.tets()), stress, 0.5, TimeProfile({{0, 0}, {1, 1}}, "a")}});
  EXPECT_TRUE(muscle.time_dependent());
  const double left = mesh.X.col(0).minCoeff(), area = 0.01;
  for (double t : {0.0, 0.25, 1.0, 3.0}) {
    VectorXd gradient = VectorXd::Zero(mesh.X.size());
    muscle.evaluate(t, stacked(mesh.X), {.gradient = &gradient});
    double pull = 0;
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 0) < left + 1e-9) pull -= gradient[3 * v];
    EXPECT_NEAR(pull, std::min(t, 1.0) * stress * area, 1e-9 * stress * area) << t;
  }
}

TEST(Muscle, work_of_the_activation_is_booked) {
  testing::Bar bar(2, true);
  const TetMesh mesh = fiberd_bar();
  bar.parts.energies.push_back(std::make_unique<MuscleEnergy>(
      mesh, std::vector<MusclePart>{
                {first_integers(mesh.tets()), 3e4, 0.5, TimeProfile({{0, 0}, {0.05, 1}, {0.1, 0.2}}, "a")}}));
  const NodalSystem system(std::move(bar.parts));
  EXPECT_TRUE(system.time_dependent());
  State state{0, system.rest(), VectorXd::Zero(system.dofs()), {}};
  const auto method = testing::tight_integrator("im");
  method->prepare(system);
  EnergyBudget budget(system, state);
  const double start = budget.total();
  double most = 0;
  for (int i = 0; i < 150; ++i) {
    ASSERT_EQ(method->step(state, 1e-3).status, StepStatus::ok);
    budget.book(state, 0);
    most = std::max(most, std::fabs(budget.injected()));
  }
  ASSERT_GT(most, 0);
  // The midpoint rule keeps energy up to h^2, and the books are kept by the trapezoidal rule, h^2 as well.
  EXPECT_NEAR(budget.total() - start, budget.injected(), 0.01 * most);
}

TEST(Graded, factor_scales_energy_force_and_stiffness_of_each_element) {
  const TetMesh mesh = fiberd_bar();
  const std::vector<int> all = first_integers(mesh.tets());
  std::vector<double> factor;
  for (int e : all) factor.push_back(1 + 0.1 * e);
  const VectorXd x = stacked(shaken(mesh.X, 0.01));
  const auto value = [&](const ElasticPart& part) {
    double sum = 0;
    ElasticEnergy(mesh, {part}).evaluate(0, x, {.value = &sum});
    return sum;
  };
  double expected = 0;
  for (int e : all) expected += factor[e] * value({soft_law(), {e}});
  EXPECT_NEAR(value({soft_law(), all, factor}), expected, 1e-12 * expected);
}

}  // namespace
}  // namespace brio

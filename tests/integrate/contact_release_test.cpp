// Contact pushes and never pulls: what was pressed onto an obstacle leaves it, whichever solver finds the steps
// ([QN] section 4.3: contact is in energy and gradient only, and must go when the body separates).

#include "brio/optimize/stage_solver.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"

namespace brio {
namespace {

using testing::Bar;
using testing::integrator;

class EverySolverInContact : public ::testing::TestWithParam<std::string> {};

TEST_P(EverySolverInContact, lets_go) {
  Bar bar(1, false, testing::law("corotated", {{"E", 1e5}, {"nu", 0.3}}));
  const ObstacleEntry& row = find_row(obstacle_shapes(), "obstacle", "half-space");
  bar.parts.energies.push_back(std::make_unique<ContactEnergy>(
      testing::first_integers(bar.mesh.vertices()), VectorXd::Constant(bar.mesh.vertices(), 0.004), 1e6,
      row.make(Options(row.options, {}, "floor"), "floor"), stand_still()));
  const NodalSystem system = bar.system();
  // Thrown down at 1 m/s from 1 mm above the floor, without weight: only the contact can turn it round.
  State state = testing::at_rest(system);
  for (Index i = 0; i < state.q.size() / 3; ++i) {
    state.q[3 * i + 1] += 1e-3;
    state.v[3 * i + 1] = -1;
  }
  const VectorXd& mass = system.mass();
  const auto upward = [&] {
    double sum = 0;
    for (Index i = 0; i < state.v.size() / 3; ++i) sum += mass[3 * i] * state.v[3 * i + 1];
    return sum / (mass.sum() / 3);
  };
  const auto method = integrator("be", {{"solver", GetParam()}});
  method->prepare(system);
  double touched = 0, speed = upward();
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(method->step(state, 0.002).status, StepStatus::ok);
    const double contact = system.potentials(state.t, state.q).contact;
    touched = std::max(touched, contact);
    // The residual that a step may leave is 1e-6 m/s, more where it is stopped early; a floor that pulls does far more.
    EXPECT_GT(upward(), speed - 1e-3) << "pulled at step " << i;
    speed = upward();
  }
  EXPECT_GT(touched, 0.01);
  EXPECT_GT(speed, 0.1);
  EXPECT_EQ(system.potentials(state.t, state.q).contact, 0);
  for (Index i = 0; i < state.q.size() / 3; ++i) EXPECT_GT(state.q[3 * i + 1], 0.01);
}

INSTANTIATE_TEST_SUITE_P(All, EverySolverInContact, ::testing::ValuesIn(names_of(stage_solvers())),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace brio

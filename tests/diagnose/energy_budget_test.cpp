// The budget closes: what moving supports, loads and damping book is what the energy does, as the step goes to zero.

#include "brio/diagnose/energy_budget.hpp"

#include "brio/integrate/methods/si.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/oscillator.hpp"

namespace brio {
namespace {

/// Energy that is missing at the end, relative to the largest that was there.
double gap(const NodalSystem& system, State state, double h, double duration) {
  EnergyBudget budget(system, state);
  SemiImplicitEuler si(1, PsdPolicy::none);
  si.prepare(system);
  const double start = budget.total();
  double largest = std::fabs(start);
  const int steps = static_cast<int>(duration / h + 0.5);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = si.step(state, h);
    budget.book(state, report.dissipated);
    largest = std::max(largest, std::fabs(budget.total()) + std::fabs(budget.injected()));
  }
  return std::fabs(start + budget.injected() - budget.dissipated() - budget.total()) / largest;
}

/// Halving the step must halve what the first-order method itself loses: what remains in the limit is nothing.
void expect_closes(const std::function<double(double)>& gap_at, double h) {
  const double coarse = gap_at(h), fine = gap_at(h / 4);
  EXPECT_GT(coarse, 0);
  EXPECT_LT(fine, coarse / 3);
  EXPECT_LT(fine, 0.02);
}

TEST(EnergyBudget, damped_oscillator) {
  const NodalSystem system = testing::oscillator(10, 2, {1.5, 0.01, true});
  expect_closes([&](double h) { return gap(system, {0, Vec3(0.1, 0, 0), Vec3::Zero(), {}}, h, 0.5); }, 1e-3);
}

TEST(EnergyBudget, moving_support_and_pull) {
  expect_closes(
      [&](double h) {
        testing::Bar bar(1, true);
        bar.with_gravity();
        const MotionEntry& motion = find_row(motions(), "motion", "oscillate");
        bar.parts.supports[0].motion =
            motion.make(Options(motion.options, {{"amplitude", Vec3(0, 0.05, 0)}, {"frequency", 3.0}}, "m"), "m");
        const LoadEntry& pull = find_row(loads(), "load", "pull");
        bar.parts.loads.push_back(pull.make(Options(pull.options, {{"force", Vec3(0, 0, 2)}}, "p"),
                                            {{0, bar.mesh.vertices() - 1}, bar.parts.vertex_mass, {}}));
        const NodalSystem system = bar.system();
        return gap(system, testing::at_rest(system), h, 0.2);
      },
      4e-4);
}

}  // namespace
}  // namespace brio

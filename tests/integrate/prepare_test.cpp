// What prepare() refuses, so that `brio check` can say it, and that step() then throws nothing.

#include "brio/core/error.hpp"
#include "brio/integrate/methods/bone_integrator.hpp"

#include <gtest/gtest.h>

#include "condensed_bodies.hpp"

namespace brio {
namespace {

using testing::Bar;
using testing::integrator;

std::string refusal(Integrator& method, const System& system) {
  try {
    method.prepare(system);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Prepare, lanczos_needs_damping_that_commutes) {
  Bar bar(1, true);
  bar.parts.damping = {0.1, 1e-3, true};
  const NodalSystem system = bar.system();
  EXPECT_TRUE(refusal(*integrator("ere", {{"path", "lanczos"}}), system).starts_with("integrator.path = lanczos"));
  EXPECT_EQ(refusal(*integrator("ere"), system), "");
}

TEST(Prepare, a_law_without_positive_weight_is_refused_by_solvers_with_a_constant_matrix) {
  // It pushes away from rest until it is far from it: the line fitted to the stress falls.
  Bar bar(1, true, testing::law("valanis-landel-polynomial", {{"a", std::vector<double>{-1e5, 0, 1}}}));
  const NodalSystem system = bar.system();
  for (const char* solver : {"projective", "quasi-newton", "chebyshev"}) {
    const std::string said = refusal(*integrator("be", {{"solver", solver}}), system);
    EXPECT_TRUE(said.starts_with(fmt::format("integrator.solver = \"{}\"", solver))) << said;
    EXPECT_NE(said.find("newton"), std::string::npos) << said;
  }
  EXPECT_EQ(refusal(*integrator("be"), system), "");
}

TEST(Prepare, condensed_bodies_have_no_constant_matrix) {
  const NodalSystem system = Bar(1, true).system();
  const int tip = testing::vertex_at(system, {0.4, 0, 0});
  EXPECT_EQ(refusal(*testing::condensed({tip}, "be"), system), "");
  const std::string said = refusal(*testing::condensed({tip}, "be", {}, {{"solver", "projective"}}), system);
  EXPECT_NE(said.find("change with every step"), std::string::npos) << said;
}

TEST(Prepare, another_system_may_follow) {
  const NodalSystem small = Bar(1, true).system(), large = Bar(2, true).with_gravity().system();
  for (const IntegratorEntry& row : integrators()) {
    const auto one = integrator(row.name), other = integrator(row.name);
    State state = testing::bent_body(small);
    one->prepare(small);
    one->step(state, 1e-4);
    State a = testing::bent_body(large), b = a;
    one->prepare(large);
    other->prepare(large);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(one->step(a, 1e-4).status, StepStatus::ok) << row.name;
      ASSERT_EQ(other->step(b, 1e-4).status, StepStatus::ok) << row.name;
    }
    EXPECT_TRUE(a.q == b.q && a.v == b.v) << row.name << " remembers the system before";
  }
}

}  // namespace
}  // namespace brio

// Each engine against a factorization, in scenes: the same motion within the tolerance, whatever the method.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include "support/engine_cases.hpp"
#include <cmath>
#include <cstdlib>

namespace brio::testing {
namespace {

class EveryFactoringMethod : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(EveryFactoringMethod, moves_as_with_a_factorization) {
  const auto [method, engine] = GetParam();
  const Overrides plain = {"integrator.name=" + method};
  const VectorXd rest = bar(plain).system->rest();
  const End direct = run_to_end(bar(plain));
  ASSERT_EQ(direct.result.status, RunStatus::finished) << method;
  for (const double tolerance : {1e-5, 1e-9}) {
    const End other = run_to_end(
        bar(with(plain, {"integrator.engine=" + engine, fmt::format("integrator.engine_tolerance={}", tolerance)})));
    ASSERT_EQ(other.result.status, RunStatus::finished) << method;
    // ksiere takes directions into its space, or leaves them out, by thresholds of a hundredth of the motion; what that
    // makes of its error is tested below.
    const double bound = method == "ksiere" ? std::max(kGrowth * tolerance, 1e-3) : kGrowth * tolerance;
    EXPECT_LT(apart(direct, other, rest), bound) << method << ", " << tolerance;
    EXPECT_GT(other.result.extras.find("engine_iterations").value_or(0), 0) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, EveryFactoringMethod,
                         ::testing::Combine(::testing::ValuesIn(factoring_methods()),
                                            ::testing::Values("reuse", "iterative")),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

/// The space that iterations open is another one, and as good: as near as with a factorization to steps so small that
/// the error of the method is a twentieth.
TEST(Engines, leave_the_error_of_methods_with_a_space_as_it_is) {
  for (const std::string method : {"ksiere", "siere"}) {
    const std::string name = "integrator.name=" + method;
    const VectorXd rest = bar({name}).system->rest();
    const End fine = run_to_end(bar({name, "integrator.h=0.0005", "steps=240"}));
    const double direct = apart(fine, run_to_end(bar({name})), rest);
    EXPECT_GT(direct, 1e-4) << method;
    for (const char* engine : {"reuse", "iterative"}) {
      const End other = run_to_end(bar({name, std::string("integrator.engine=") + engine}));
      EXPECT_NEAR(apart(fine, other, rest), direct, 0.05 * direct) << method << ", " << engine;
    }
  }
}

class EngineScenes : public ::testing::TestWithParam<EngineCase> {};

TEST_P(EngineScenes, move_as_with_a_factorization) {
  const EngineCase& c = GetParam();
  const Overrides steps = {"integrator.name=si", fmt::format("steps={}", c.steps)};
  const double size = size_of(c.make(steps));
  const End direct = run_to_end(c.make(steps));
  ASSERT_EQ(direct.result.status, RunStatus::finished);
  for (const char* engine : {"reuse", "iterative"}) {
    const End other = run_to_end(
        c.make(with(steps, {std::string("integrator.engine=") + engine, "integrator.engine_tolerance=1e-8"})));
    ASSERT_EQ(other.result.status, RunStatus::finished) << engine;
    ASSERT_EQ(other.q.size(), direct.q.size()) << engine;
    EXPECT_LT((other.q - direct.q).lpNorm<Eigen::Infinity>(), 1e-5 * size) << engine;
    EXPECT_EQ(other.result.extras.find("engine_unconverged").value_or(0), 0) << engine;
    // Books close as before.
    EXPECT_NEAR(other.result.final_energy, direct.result.final_energy,
                1e-5 * (std::fabs(direct.result.final_energy) + std::fabs(direct.result.initial_energy)))
        << engine;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineScenes, ::testing::ValuesIn(engine_cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Engines, have_the_same_bits_for_any_number_of_threads) {
  for (const char* engine : {"reuse", "iterative"})
    for (const char* method : {"si", "ksiere"}) {
      End reference;
      for (const int threads : {1, 2, 5}) {
        set_thread_count(threads);
        const End end = run_to_end(
            bar({std::string("integrator.name=") + method, std::string("integrator.engine=") + engine, "steps=5"}));
        if (threads == 1)
          reference = end;
        else
          EXPECT_EQ(end.q, reference.q) << engine << ", " << method << ", " << threads << " threads";
      }
      set_thread_count(0);
    }
}

/// The momentum of what nothing holds is that of the forces from outside, wherever iterations end.
TEST(Engines, leave_the_momentum_of_free_bodies_exact) {
  for (const char* engine : {"direct", "reuse", "iterative"}) EXPECT_LT(drift_of_momentum(engine), 1e-12) << engine;
}

/// Inverted elements make the true matrix indefinite: iterations find out, and the projected one is taken.
TEST(Engines, notice_what_a_factorization_would_notice) {
  const Overrides squeezed = {"initial.stretch=[0.3,1,1]", "steps=3", "integrator.h=0.03"};
  const End direct = run_to_end(bar(squeezed));
  ASSERT_GT(direct.result.projections, 0);
  for (const char* engine : {"reuse", "iterative"}) {
    const End other = run_to_end(
        bar(with(squeezed, {std::string("integrator.engine=") + engine, "integrator.engine_tolerance=1e-9"})));
    EXPECT_EQ(other.result.status, direct.result.status) << engine;
    EXPECT_GT(other.result.projections, 0) << engine;
    EXPECT_LT(apart(direct, other, bar(squeezed).system->rest()), 1e-5) << engine;
  }
}

std::string refusal(const Overrides& overrides) {
  try {
    bar(overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Engines, refuse_what_they_cannot_serve_and_say_what_can) {
  const auto expect = [](const std::string& text, const Overrides& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal({"integrator.engine=itertive"}), {"integrator.engine", "itertive", "iterative"});
  expect(refusal({"integrator.engine=reuse", "integrator.engine_tolerance=0"}), {"engine_tolerance", "0"});
  expect(refusal({"integrator.engine=reuse", "integrator.engine_tolerance=1"}), {"engine_tolerance", "1"});
  expect(refusal({"integrator.engine=reuse", "integrator.name=be", "integrator.solver=quasi-newton"}),
         {"integrator.engine = \"reuse\"", "constant", "newton"});
  EXPECT_EQ(refusal({"integrator.engine=auto", "integrator.name=be", "integrator.solver=quasi-newton"}), "");
}

/// With as little memory as that, a matrix is not begun; the message names an engine that fits.
TEST(Engines, refuse_what_does_not_fit_into_memory) {
  setenv("BRIO_MEMORY_MB", "150", 1);
  std::string direct, iterative;
  try {
    scene("bar-98k", {});
  } catch (const Error& error) {
    direct = error.what();
  }
  try {
    scene("bar-98k", {"integrator.engine=iterative"});
  } catch (const Error& error) {
    iterative = error.what();
  }
  unsetenv("BRIO_MEMORY_MB");
  for (const char* part : {"integrator.engine = \"direct\"", "take", "\"engine\": \"iterative\"", "150 MB"})
    EXPECT_NE(direct.find(part), std::string::npos) << direct;
  EXPECT_EQ(iterative, "");
}

TEST(Engines, say_what_was_chosen_and_what_has_nothing_to_do) {
  const auto notes = [](const Overrides& overrides) {
    std::string all;
    for (const std::string& note : bar(overrides).notes) all += note + "\n";
    return all;
  };
  EXPECT_NE(notes({"integrator.engine=auto"}).find("integrator.engine = \"auto\": direct"), std::string::npos);
  EXPECT_NE(notes({"integrator.engine=reuse", "integrator.name=rk4", "integrator.h=1e-5"}).find("nothing to do"),
            std::string::npos);
  EXPECT_EQ(notes({}), "");
}

}  // namespace
}  // namespace brio::testing

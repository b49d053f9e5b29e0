// The engine petsc against a factorization: the same motion within the tolerance, for every method, in every scene of the
// other engines, on any number of ranks and with PETSc's own solvers.

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include "petsc/one_rank.hpp"
#include "support/engine_cases.hpp"
#include <cmath>

namespace brio::testing {
namespace {

MatrixUse use_of(const IntegratorEntry& row) {
  return row.matrices ? row.matrices(Options(row.options, {}, row.name)) : MatrixUse::changing;
}

std::vector<std::string> all_methods() {
  std::vector<std::string> names = factoring_methods();
  for (const IntegratorEntry& row : integrators())
    if (use_of(row) == MatrixUse::none) names.push_back(row.name);
  return names;
}

class EveryMethodOverRanks : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethodOverRanks, moves_as_with_a_factorization) {
  const std::string method = GetParam();
  const MatrixUse use = use_of(find_row(integrators(), "integrator", method));
  Overrides plain = {"integrator.name=" + method, "steps=6"};
  if (use == MatrixUse::none && method != "ere") plain = with(plain, {"integrator.h=2e-5"});  // explicit
  const VectorXd rest = alone([&] { return bar(plain).system->rest(); });
  const End direct = alone([&] { return run_to_end(bar(plain)); });
  ASSERT_EQ(direct.result.status, RunStatus::finished) << method;
  const double tolerance = 1e-8;
  const End other = run_to_end(
      bar(with(plain, {"integrator.engine=petsc", fmt::format("integrator.engine_tolerance={}", tolerance)})));
  ASSERT_EQ(other.result.status, RunStatus::finished) << method;
  // ere by Chebyshev's polynomials alone and by Lanczos' process on several ranks: within the tolerance of each.
  const double exponential = method == "ere" ? 1e-4 : 0;
  EXPECT_LT(apart(direct, other, rest), std::max(exponential, kGrowth * tolerance)) << method;
  if (use == MatrixUse::changing) {
    EXPECT_GT(other.result.extras.find("engine_iterations").value_or(0), 0) << method;
  }
  EXPECT_EQ(other.result.extras.find("engine_unconverged").value_or(0), 0) << method;
}

INSTANTIATE_TEST_SUITE_P(Petsc, EveryMethodOverRanks, ::testing::ValuesIn(all_methods()),
                         [](const auto& info) { return info.param; });

class ScenesOverRanks : public ::testing::TestWithParam<EngineCase> {};

TEST_P(ScenesOverRanks, move_as_with_a_factorization) {
  const EngineCase& c = GetParam();
  const Overrides steps = {"integrator.name=si", fmt::format("steps={}", std::min(c.steps, 6))};
  const double size = alone([&] { return size_of(c.make(steps)); });
  const End direct = alone([&] { return run_to_end(c.make(steps)); });
  ASSERT_EQ(direct.result.status, RunStatus::finished);
  const End other =
      run_to_end(c.make(with(steps, {"integrator.engine=petsc", "integrator.engine_tolerance=1e-8"})));
  ASSERT_EQ(other.result.status, RunStatus::finished) << other.result.message;
  ASSERT_EQ(other.q.size(), direct.q.size());
  EXPECT_LT((other.q - direct.q).lpNorm<Eigen::Infinity>(), 1e-5 * size);
  EXPECT_EQ(other.result.extras.find("engine_unconverged").value_or(0), 0);
  EXPECT_NEAR(other.result.final_energy, direct.result.final_energy,
              1e-5 * (std::fabs(direct.result.final_energy) + std::fabs(direct.result.initial_energy)));
}

INSTANTIATE_TEST_SUITE_P(Petsc, ScenesOverRanks, ::testing::ValuesIn(engine_cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Options of PETSc choose another solver for the same answer.
TEST(PetscOptions, choose_solvers_that_agree) {
  const Overrides plain = {"steps=3"};
  const VectorXd rest = alone([&] { return bar(plain).system->rest(); });
  const End direct = alone([&] { return run_to_end(bar(plain)); });
  for (const char* options :
       {"-pc_type gamg", "-pc_type cholesky -pc_factor_mat_solver_type mumps", "-coarse_pc_type gamg", "-ksp_type pipecg",
        "-pc_type hypre", "-ksp_type gmres -pc_type jacobi -ksp_rtol 1e-10"}) {
    const End other = run_to_end(bar(with(plain, {"integrator.engine=petsc", "integrator.engine_tolerance=1e-9",
                                                  fmt::format("integrator.engine_options=\"{}\"", options)})));
    EXPECT_EQ(other.result.status, RunStatus::finished) << options;
    EXPECT_LT(apart(direct, other, rest), 1e-6) << options;
    EXPECT_GT(other.result.extras.find("engine_iterations").value_or(0), 0) << options;
  }
}

TEST(PetscOptions, that_nobody_knows_are_refused_by_name) {
  const auto refusal = [](const std::string& options) -> std::string {
    try {
      bar({"integrator.engine=petsc", fmt::format("integrator.engine_options=\"{}\"", options)});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("-pc_tpye gamg").find("-pc_tpye"), std::string::npos) << refusal("-pc_tpye gamg");
  EXPECT_NE(refusal("-pc_type gamgg").find("gamgg"), std::string::npos);
  EXPECT_NE(refusal("-pc_type cholesky -pc_factor_mat_solver_type pastix").find("pastix"), std::string::npos);
  EXPECT_EQ(refusal("-ksp_max_it 500 -mg_levels_3_ksp_max_it 4 -pc_type gamg"), "");
}

/// The momentum of what nothing holds does not depend on where iterations end.
TEST(Petsc, leaves_the_momentum_of_free_bodies_exact) { EXPECT_LT(drift_of_momentum("petsc"), 1e-12); }

/// Inverted elements make the true matrix indefinite: that is found out, and the projected one is taken.
TEST(Petsc, notices_what_a_factorization_would_notice) {
  const Overrides squeezed = {"initial.stretch=[0.3,1,1]", "steps=3", "integrator.h=0.03"};
  const VectorXd rest = alone([&] { return bar(squeezed).system->rest(); });
  const End direct = alone([&] { return run_to_end(bar(squeezed)); });
  ASSERT_GT(direct.result.projections, 0);
  for (const char* options : {"", "-pc_type gamg", "-pc_type cholesky -pc_factor_mat_solver_type mumps"}) {
    Overrides more = {"integrator.engine=petsc", "integrator.engine_tolerance=1e-9"};
    if (*options) more.push_back(fmt::format("integrator.engine_options=\"{}\"", options));
    const End other = run_to_end(bar(with(squeezed, more)));
    EXPECT_EQ(other.result.status, direct.result.status) << options;
    EXPECT_GT(other.result.projections, 0) << options;
    EXPECT_LT(apart(direct, other, rest), 1e-5) << options;
  }
}

/// All ranks have the same bits: they would lose each other otherwise.
TEST(Petsc, gives_every_rank_the_same_bits) {
  for (const char* method : {"si", "siere", "ere"}) {
    const End end = run_to_end(bar({std::string("integrator.name=") + method, "integrator.engine=petsc", "steps=4"}));
    std::string own(reinterpret_cast<const char*>(end.q.data()), end.q.size() * sizeof(double));
    EXPECT_NO_THROW(require_same_on_all_ranks(own, method));
  }
}

}  // namespace
}  // namespace brio::testing

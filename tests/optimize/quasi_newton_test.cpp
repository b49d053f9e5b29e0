// Quasi-Newton solvers against Newton's minimum and against projective dynamics done by hand.

#include "brio/optimize/quasi_newton.hpp"

#include "brio/energy/spring_energy.hpp"
#include "brio/optimize/newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
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
using testing::stacked;

/// A backward Euler stage of length h from the state.
Stage backward_euler_stage(const State& state, double h) {
  Stage stage;
  stage.t = state.t + h;
  stage.s = stage.c = h;
  stage.y_hat = stage.y0 = state.q + h * state.v;
  stage.w0 = state.v;
  return stage;
}

/// Ready for the problem.
std::unique_ptr<StageSolver> solver(StageProblem& problem, const std::string& name, const SolverOptions& options) {
  auto made = find_row(stage_solvers(), "solver", name).make(options);
  made->prepare(problem);
  return made;
}

/// A bar that has been pulled out of shape at random by up to `amplitude` [m].
State crumpled(const NodalSystem& system, double amplitude) {
  State state = at_rest(system);
  MatrixX3d x;
  system.positions(0, state.q, x);
  state.q = system.free_part(shaken(x, amplitude));
  return state;
}

/// One local and global step of projective dynamics for mu |F - R|^2 ([QN] eq. 7), in dense matrices over all
/// vertices; the held ones stay.
MatrixX3d local_global(const TetMesh& mesh, const std::vector<bool>& held, const VectorXd& mass, double mu, double h,
                       const MatrixX3d& y, const MatrixX3d& x) {
  const int n = mesh.vertices();
  MatrixXd L = MatrixXd::Zero(n, n);
  MatrixXd Jp = MatrixXd::Zero(n, 3);
  for (int e = 0; e < mesh.tets(); ++e) {
    Mat3 Dm, Ds;
    for (int a = 0; a < 3; ++a) {
      Dm.col(a) = (mesh.X.row(mesh.T(e, a)) - mesh.X.row(mesh.T(e, 3))).transpose();
      Ds.col(a) = (x.row(mesh.T(e, a)) - x.row(mesh.T(e, 3))).transpose();
    }
    const Mat3 inverse = Dm.inverse();
    const Eigen::JacobiSVD<Mat3> svd(Ds * inverse, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 sign = Mat3::Identity();
    sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    const Mat3 R = svd.matrixU() * sign * svd.matrixV().transpose();
    Eigen::Matrix<double, 3, 4> G;  // F = (G x)^T
    G.leftCols<3>() = inverse.transpose();
    G.col(3) = -G.leftCols<3>().rowwise().sum();
    const double weight = 2 * mu * std::fabs(Dm.determinant()) / 6;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) L(mesh.T(e, a), mesh.T(e, b)) += weight * G.col(a).dot(G.col(b));
      Jp.row(mesh.T(e, a)) += weight * (R * G.col(a)).transpose();
    }
  }
  MatrixXd A = L;
  A.diagonal() += mass / (h * h);
  MatrixXd b = Jp + MatrixXd(mass.asDiagonal() * y) / (h * h);
  for (int v = 0; v < n; ++v) {
    if (!held[v]) continue;
    A.row(v).setZero();
    A(v, v) = 1;
    b.row(v) = x.row(v);
  }
  return A.partialPivLu().solve(b);
}

TEST(QuasiNewton, without_memory_is_projective_dynamics_iterate_by_iterate) {
  const double mu = 3e4, h = 1.0 / 30;
  Bar bar(2, true, law("arap", {{"mu", mu}}));
  const TetMesh mesh = bar.mesh;
  const VectorXd mass = bar.parts.vertex_mass;
  const NodalSystem system = bar.system();
  const State state = crumpled(system, 0.01);  // no element is near the kink of its rotation, where round-off grows
  const Stage stage = backward_euler_stage(state, h);

  std::vector<bool> held(mesh.vertices());
  for (int v = 0; v < mesh.vertices(); ++v) held[v] = system.supported(v);
  MatrixX3d y_hat;
  system.positions(stage.t, stage.y_hat, y_hat);

  StageProblem problem(system);
  problem.set(stage);
  int iterates = 0;
  MatrixX3d x = y_hat;
  problem.on_iterate = [&](const VectorXd& y) {
    // From the iterate before, so that the rounding of the dense solves (2e-13 each) does not add up.
    const MatrixX3d expected = local_global(mesh, held, mass, mu, h, y_hat, x);
    system.positions(stage.t, y, x);
    ++iterates;
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << "iterate " << iterates;
  };
  VectorXd y = state.q;
  solver(problem, "projective", {.tolerance = 1e-12, .iterations = 8})->solve(problem, y);
  EXPECT_EQ(iterates, 8);
}

TEST(QuasiNewton, looks_at_its_end_unless_the_caller_takes_any) {
  Bar bar(1, false);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const State state = at_rest(system);
  const Stage stage = backward_euler_stage(state, 1.0 / 30);
  StageProblem problem(system);
  problem.set(stage);
  for (const bool takes_any : {false, true}) {
    VectorXd y = state.q;
    // The constant matrix is right for a body that falls as a whole: one iteration is the solution.
    const SolveReport report =
        solver(problem, "projective", {.iterations = 1, .accept_unconverged = takes_any})->solve(problem, y);
    EXPECT_EQ(report.converged, !takes_any);
    EXPECT_LT((y - state.q).norm(), 2 * std::sqrt(system.vertices()) * 9.81 / 900);
    EXPECT_GT((y - state.q).norm(), 0.5 * std::sqrt(system.vertices()) * 9.81 / 900);
  }
}

class EveryLaw : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, ::testing::ValuesIn(names_of(isotropic_laws())), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

std::shared_ptr<const Material> law_for_test(const std::string& name) {
  if (name == "arap") return law(name, {{"mu", 3e4}});
  if (name == "valanis-landel-polynomial")
    return law(name, {{"a", std::vector<double>{0, 0, 3e4, 0, 2e4}}, {"c", std::vector<double>{0, 0, 5e4}}});
  if (name == "valanis-landel-spline")
    return law(name, {{"a", std::vector<Pair>{{0.2, -6e4}, {0.6, -3e4}, {1, 0}, {1.5, 4e4}, {3, 3e5}}}});
  return law(name, {{"E", 1e5}, {"nu", 0.4}});
}

TEST_P(EveryLaw, ends_in_newtons_minimum_and_never_climbs) {
  Bar bar(1, true, law_for_test(GetParam()));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const State state = crumpled(system, 0.01);
  const Stage stage = backward_euler_stage(state, 1.0 / 30);
  StageProblem problem(system);
  problem.set(stage);

  VectorXd newton = state.q;
  ASSERT_TRUE(NewtonDescent({.tolerance = 1e-11, .iterations = 200}).solve(problem, newton).converged);

  VectorXd first;
  problem.freeze_load(stage.y_hat);
  double last = problem.evaluate(stage.y_hat, first);
  const double start = problem.size(first);
  problem.on_iterate = [&](const VectorXd& y) {
    VectorXd gradient;
    const double value = problem.evaluate(y, gradient);
    EXPECT_LE(value, last + 1e-14 * problem.objective_scale());
    last = value;
  };
  VectorXd y = state.q;
  const SolveReport report =
      solver(problem, "quasi-newton", {.tolerance = 1e-9 * start, .iterations = 2000})->solve(problem, y);
  EXPECT_TRUE(report.converged) << report.iterations << " iterations, residual " << report.residual;
  EXPECT_LT(report.residual, 1e-8 * start);
  // Both are minima of a problem whose second derivative is at least M/h^2; a residual of 1e-9 of the first one, which
  // moves the body by some centimeters, leaves 1e-9 of that.
  EXPECT_LT((y - newton).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(QuasiNewton, shortens_steps_that_would_climb) {
  // mu (s - 1)^4 stretched to three times its length is far stiffer than the line fitted up to 1.5: whole steps
  // overshoot
  // ([QN] figure 3).
  Bar bar(1, true, law("valanis-landel-polynomial", {{"a", std::vector<double>{0, 0, 0, 0, 1e5}}}));
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  state.q *= 3;
  const Stage stage = backward_euler_stage(state, 1.0 / 30);
  StageProblem problem(system);
  problem.set(stage);
  VectorXd gradient, y = state.q;
  problem.freeze_load(y);
  double last = problem.evaluate(stage.y_hat, gradient);
  problem.on_iterate = [&](const VectorXd& now) {
    const double value = problem.evaluate(now, gradient);
    EXPECT_LT(value, last);
    last = value;
  };
  const SolveReport report = solver(problem, "quasi-newton", {.tolerance = 1e-9, .iterations = 10})->solve(problem, y);
  EXPECT_GT(report.evaluations, report.iterations);
}

TEST(QuasiNewton, every_solver_finds_the_same_minimum) {
  Bar bar(1, true, law("corotated", {{"E", 1e5}, {"nu", 0.3}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const State state = crumpled(system, 0.01);
  const Stage stage = backward_euler_stage(state, 0.02);
  StageProblem problem(system);
  problem.set(stage);
  VectorXd newton = state.q;
  ASSERT_TRUE(NewtonDescent({.tolerance = 1e-11, .iterations = 200}).solve(problem, newton).converged);
  for (const StageSolverEntry& row : stage_solvers()) {
    if (row.name == "projective") continue;  // without a line search it need not converge for this law
    VectorXd y = state.q;
    const SolveReport report =
        solver(problem, row.name, {.tolerance = 1e-9, .iterations = 5000, .window = 5, .rho = 0.9})->solve(problem, y);
    EXPECT_TRUE(report.converged) << row.name << ": residual " << report.residual;
    EXPECT_LT((y - newton).lpNorm<Eigen::Infinity>(), 1e-8) << row.name;
  }
}

TEST(QuasiNewton, factors_once_for_a_step_length) {
  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  const auto be = integrator("be", {{"solver", "quasi-newton"}});
  be->prepare(system);
  EXPECT_EQ(be->step(state, 0.01).factorizations, 1);
  EXPECT_EQ(be->step(state, 0.01).factorizations, 0);
  EXPECT_EQ(be->step(state, 0.02).factorizations, 1);
}

TEST(QuasiNewton, follows_backward_euler_when_given_the_iterations) {
  Bar bar(1, true, law("neo-hookean", {{"E", 1e5}, {"nu", 0.4}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  for (const char* scheme : {"be", "im", "bdf2", "newmark", "genalpha"}) {
    State exact = at_rest(system), state = exact;
    const auto newton = integrator(scheme, {{"tolerance", 1e-10}});
    newton->prepare(system);
    const auto quasi = integrator(scheme, {{"solver", "quasi-newton"}, {"tolerance", 1e-10}, {"iterations", 500.0}});
    quasi->prepare(system);
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(newton->step(exact, 0.01).status, StepStatus::ok);
      ASSERT_EQ(quasi->step(state, 0.01).unconverged, 0) << scheme;
    }
    // Twenty residuals of 1e-10 m/s over 0.2 s.
    EXPECT_LT((state.q - exact.q).lpNorm<Eigen::Infinity>(), 1e-8) << scheme;
  }
}

struct Swing {
  VectorXd q;
  double way = 0;  ///< the farthest that a vertex was from where it began [m]
  int unsolved = 0;
};

/// A bar that swings under its weight for 100 steps of backward Euler.
Swing swing(double nu, const std::map<std::string, OptionValue>& settings) {
  Bar bar(2, true, law("stable-neo-hookean", {{"E", 5e4}, {"nu", nu}}));
  bar.with_gravity();
  const NodalSystem system = bar.system();
  const auto be = testing::prepared(system, integrator("be", settings));
  Swing swing;
  State state = at_rest(system);
  for (int i = 0; i < 100; ++i) {
    const StepReport report = be->step(state, 0.01);
    EXPECT_EQ(report.status, StepStatus::ok);
    swing.unsolved += static_cast<int>(testing::extra(report, "unsolved"));
    swing.way = std::max(swing.way, (state.q - system.rest()).lpNorm<Eigen::Infinity>());
  }
  swing.q = state.q;
  return swing;
}

TEST(QuasiNewton, follows_newton_on_nearly_incompressible_materials) {
  for (double nu : {0.3, 0.45, 0.49, 0.499, 0.4999}) {
    const Swing newton = swing(nu, {}), quasi = swing(nu, {{"solver", "quasi-newton"}});
    // A percent of the way, as ten iterations leave with any material.
    EXPECT_LT((newton.q - quasi.q).lpNorm<Eigen::Infinity>(), 0.01 * newton.way) << "nu = " << nu;
    EXPECT_EQ(newton.unsolved, 0) << "nu = " << nu;
    EXPECT_LE(quasi.unsolved, 50) << "nu = " << nu << ": a run with more is doubtful";
  }
}

TEST(QuasiNewton, says_when_too_few_iterations_leave_a_step_unsolved) {
  const Swing newton = swing(0.4999, {}), few = swing(0.4999, {{"solver", "quasi-newton"}, {"iterations", 10.0}});
  EXPECT_GT((newton.q - few.q).lpNorm<Eigen::Infinity>(), 0.1 * newton.way) << "as it was without a word";
  EXPECT_GT(few.unsolved, 90);
  EXPECT_EQ(swing(0.3, {{"solver", "quasi-newton"}, {"iterations", 10.0}}).unsolved, 0);
}

TEST(QuasiNewton, knows_how_its_matrix_fits) {
  // The corotated law is linear along one axis, so that the slope is 2 mu + lambda.
  const double mu = 3, lambda = 7;
  const NodalSystem system = Bar(1, true, law("corotated", {{"mu", mu}, {"lambda", lambda}})).system();
  const ProjectiveFit fit = system.projective_fit();
  EXPECT_NEAR(fit.least, 2 * mu / (2 * mu + lambda), 1e-12);
  EXPECT_NEAR(fit.most, (2 * mu + 3 * lambda) / (2 * mu + lambda), 1e-12);
  const ProjectiveFit arap = Bar(1, true, law("arap", {{"mu", mu}})).system().projective_fit();
  EXPECT_NEAR(arap.least, 1, 1e-12);
  EXPECT_NEAR(arap.most, 1, 1e-12);
}

TEST(QuasiNewton, recovers_from_random_positions) {
  Bar bar(1, true, law("corotated", {{"E", 1e5}, {"nu", 0.3}}));
  const NodalSystem system = bar.system();
  State state = crumpled(system, 0.3);  // three times the bar's width: most elements are inside out
  const auto be = integrator("be", {{"solver", "quasi-newton"}, {"iterations", 20.0}});
  be->prepare(system);
  for (int i = 0; i < 600; ++i) ASSERT_EQ(be->step(state, 1.0 / 30).status, StepStatus::ok);
  // Backward Euler has damped what was left: the bar is back at rest.
  EXPECT_LT((state.q - system.rest()).lpNorm<Eigen::Infinity>(), 1e-4);
}

TEST(QuasiNewton, springs_weigh_as_projective_dynamics_has_them) {
  NodalParts parts;
  parts.x0.resize(3, 3);
  parts.x0 << 0, 0, 0, 1, 0, 0, 1, 1, 0;
  parts.vertex_mass = VectorXd::Ones(3);
  MatrixX2i springs(2, 2);
  springs << 0, 1, 1, 2;
  parts.energies.push_back(std::make_unique<SpringEnergy>(parts.x0, springs, Eigen::Vector2d(5, 7)));
  const NodalSystem system(std::move(parts));
  const VectorXd weights = system.projective_weights();
  double sum = 0;
  for (int v = 0; v < 3; ++v) sum += weights[system.pattern()->column_begin[v]];
  EXPECT_DOUBLE_EQ(sum, 5 + 12 + 7);
  EXPECT_DOUBLE_EQ(weights.sum(), 24 - 12);
}

}  // namespace
}  // namespace brio

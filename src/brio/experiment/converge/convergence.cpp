#include "brio/experiment/converge/convergence.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/optimize/newton.hpp"

namespace brio {
namespace {

struct Iterate {
  double seconds;
  VectorXd y;
};

std::vector<Iterate> watch_solver(StageProblem& problem, StageSolver& solver) {
  std::vector<Iterate> iterates{{0, problem.stage().y_hat}};
  VectorXd y = problem.stage().y_hat;
  Stopwatch watch;
  double seconds = 0;
  problem.on_iterate = [&](const VectorXd& now) {
    seconds += watch.lap();
    iterates.push_back({seconds, now});
    watch.lap();  // the copy is not the solver's
  };
  solver.solve(problem, y);
  problem.on_iterate = {};
  return iterates;
}

}  // namespace

ConvergenceStudy study_convergence(const System& system, const State& state, double h,
                                   const std::vector<SolverChoice>& solvers) {
  Stage stage;
  stage.t = state.t + h;
  stage.s = stage.c = h;
  stage.y_hat = stage.y0 = state.q + h * state.v;
  stage.w0 = state.v;

  StageProblem problem(system);
  problem.set(stage);
  VectorXd best = stage.y_hat;
  const SolveReport newton = NewtonDescent({.tolerance = 1e-13, .iterations = 500}).solve(problem, best);
  if (newton.residual > 1e-8 * problem.speed_gained(best))
    throw Error("the step's minimum was not found: Newton's method stopped after {} iterations at {:.3g} m/s",
                newton.iterations, newton.residual);
  // The load stays as it is at the minimum, so that all solvers are measured with one objective.
  ConvergenceStudy study;
  study.newton_iterations = newton.iterations;
  problem.freeze_load(best);
  study.minimum = problem.objective(best);
  study.start = problem.objective(stage.y_hat);

  for (const SolverChoice& choice : solvers) {
    const std::unique_ptr<StageSolver> solver = choice.row->make(choice.options);
    StageProblem own(system);  // solvers differ in how its matrices are solved with
    own.set(stage);
    solver->prepare(own);
    VectorXd y = stage.y_hat;
    solver->solve(own, y);  // a first time, for memory and for what is factored once for all steps
    ConvergenceCurve curve{choice.name, {}, {}};
    for (const Iterate& iterate : watch_solver(own, *solver)) {
      problem.freeze_load(best);
      curve.seconds.push_back(iterate.seconds);
      curve.error.push_back((problem.objective(iterate.y) - study.minimum) / (study.start - study.minimum));
    }
    study.curves.push_back(std::move(curve));
  }
  return study;
}

}  // namespace brio

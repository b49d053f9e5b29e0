#include "brio/experiment/converge/convergence.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/optimize/newton.hpp"

#include <algorithm>
#include <memory>

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

  std::vector<std::unique_ptr<StageProblem>> own;  // solvers differ in how its matrices are solved with
  std::vector<std::unique_ptr<StageSolver>> made;
  for (const SolverChoice& choice : solvers) {
    own.push_back(std::make_unique<StageProblem>(system));
    own.back()->set(stage);
    made.push_back(choice.row->make(choice.options));
    made.back()->prepare(*own.back());
    VectorXd y = stage.y_hat;
    made.back()->solve(*own.back(), y);  // a first time, for memory and for what is factored once for all steps
    study.curves.push_back({choice.name, {}, {}, {}});
  }
  // In turns, and the least time of the rounds: what else the machine does meets all solvers alike.
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round)
    for (size_t s = 0; s < made.size(); ++s) {
      ConvergenceCurve& curve = study.curves[s];
      const std::vector<Iterate> iterates = watch_solver(*own[s], *made[s]);
      curve.round_seconds.push_back(iterates.back().seconds);
      for (size_t i = 0; i < iterates.size(); ++i) {
        if (i < curve.seconds.size()) {
          curve.seconds[i] = std::min(curve.seconds[i], iterates[i].seconds);
        } else {
          problem.freeze_load(best);
          curve.seconds.push_back(iterates[i].seconds);
          curve.error.push_back((problem.objective(iterates[i].y) - study.minimum) / (study.start - study.minimum));
        }
      }
    }
  return study;
}

}  // namespace brio

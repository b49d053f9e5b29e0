#pragma once
// Ways to solve an implicit stage, so that every implicit scheme can use each of them.

#include "brio/core/options.hpp"
#include "brio/optimize/stage_problem.hpp"

#include <functional>
#include <memory>

namespace brio {

class StageSolver {
 public:
  virtual ~StageSolver() = default;
  /// Makes ready for a problem, once, before the first solve(). Throws Error where it cannot solve such problems.
  virtual void prepare(StageProblem&) {}
  /// Improves y, the guess, to the solution of the problem's stage.
  virtual SolveReport solve(StageProblem& problem, VectorXd& y) = 0;
};

struct SolverOptions {
  double tolerance = 1e-6;  ///< of the residual, as a share of StageProblem::speed_gained
  int iterations = 20;
  int window = 5;       ///< of L-BFGS
  double rho = 0.9992;  ///< of Chebyshev's acceleration
  /// Whether the quasi-Newton solvers begin at the guess, too, and not where inertia alone would lead.
  bool from_guess = false;
  /// Whether the caller takes the last iterate whatever it is, so that solvers need not look at it.
  bool accept_unconverged = false;
  /// Whether the quasi-Newton solvers may take more iterations where their matrix fits the materials badly.
  bool more_iterations = false;
};

struct StageSolverEntry : Entry {
  int iterations;  ///< when nobody says how many
  /// Whether it is meant to be stopped after so many iterations, wherever it is then (real time). The others go on to
  /// the tolerance, and a step in which they do not reach it is halved.
  bool stops_early;
  std::function<std::unique_ptr<StageSolver>(const SolverOptions&)> make;
  std::string steadier = {};  ///< a solver of the same kind that holds where this one fails, or ""
  /// What to know before materials that fit so are solved for in this way, or ""; may be empty.
  std::function<std::string(const ProjectiveFit&, const SolverOptions&)> warning = {};
  bool factors = false;  ///< whether it solves with the matrix of each iterate, so that an engine has something to do
};

const std::vector<StageSolverEntry>& stage_solvers();

}  // namespace brio

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
  /// Improves y, the guess, to the solution.
  virtual SolveReport solve(StageProblem& problem, VectorXd& y) = 0;
};

struct SolverLimits {
  double tolerance = 1e-6;  ///< of StageProblem::size [m/s]
  int iterations = 20;
};

struct StageSolverEntry : Entry {
  std::function<std::unique_ptr<StageSolver>(const SolverLimits&)> make;
};

/// newton, minimise.
const std::vector<StageSolverEntry>& stage_solvers();

}  // namespace brio

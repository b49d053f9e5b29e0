#pragma once
// Newton's method for an implicit stage, in the two forms that the papers use.

#include "brio/optimize/stage_solver.hpp"

namespace brio {

/// Plain Newton with the true second derivative ([ERE] section 5.3): fast near the solution, and it gives up when the
/// residual has not dropped after three iterations, so that the caller can take shorter steps.
class Newton : public StageSolver {
 public:
  explicit Newton(const SolverOptions& options) : options_(options) {}
  SolveReport solve(StageProblem& problem, VectorXd& y) override;

 private:
  SolverOptions options_;
  VectorXd residual_;
};

/// Newton as minimization: the projected second derivative gives a direction of descent, and backtracking keeps the
/// objective falling.
class NewtonDescent : public StageSolver {
 public:
  enum class Linear { direct, conjugate_gradients };
  explicit NewtonDescent(const SolverOptions& options, Linear linear = Linear::direct)
      : options_(options), linear_(linear) {}
  void prepare(StageProblem& problem) override;
  SolveReport solve(StageProblem& problem, VectorXd& y) override;

 private:
  SolverOptions options_;
  Linear linear_;
  VectorXd residual_, direction_, trial_;
};

}  // namespace brio

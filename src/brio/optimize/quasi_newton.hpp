#pragma once
// Descent with a matrix that is only roughly the second derivative ([QN] algorithms 1 to 3): a gradient, a
// solve with a matrix that is factored already, and a backtracking line search an iteration.

#include "brio/optimize/approximate_hessian.hpp"
#include "brio/optimize/lbfgs.hpp"
#include "brio/optimize/stage_solver.hpp"

namespace brio {

/// How the direction of an iteration follows from the gradient and the iterations before.
class Direction {
 public:
  virtual ~Direction() = default;
  virtual void restart() = 0;
  /// Finds a direction d for the gradient g; returns g . d.
  virtual double find(StageProblem& problem, ApproximateHessian& hessian, const VectorXd& g, VectorXd& d) = 0;
  /// The last direction was followed for this part of its length.
  virtual void took(double length) = 0;
};

/// Algorithm 2; a window of 0 is plain projective dynamics. `scaled`: the rough matrix is only right up to a factor.
std::unique_ptr<Direction> lbfgs_direction(int window, bool scaled = false);
/// Algorithm 3 (Wang 2015): off for the first ten iterations, then over-relaxed by the spectral radius rho.
std::unique_ptr<Direction> chebyshev_direction(double rho);

/// How many iterations with a matrix that fits so come as close as ten with one that fits: the error falls by a factor
/// that goes to 1 as the root of the worst ratio, as that of conjugate gradients does.
int iterations_needed(const ProjectiveFit& fit);

class QuasiNewton : public StageSolver {
 public:
  /// Without the line search every step is taken whole, as projective dynamics does.
  QuasiNewton(const SolverOptions& options, std::unique_ptr<ApproximateHessian> hessian,
              std::unique_ptr<Direction> direction, bool line_search = true)
      : options_(options), hessian_(std::move(hessian)), direction_(std::move(direction)), line_search_(line_search) {}
  void prepare(StageProblem& problem) override;
  SolveReport solve(StageProblem& problem, VectorXd& y) override;

 private:
  /// The report of an end that is no solution, with how far it is from one.
  SolveReport give_up(const StageProblem& problem, SolveReport report) const;
  /// Finds trial_, its value and next_gradient_ along d_. Returns the part of d_ that leads there, 0 when none reduces
  /// the objective.
  double search(StageProblem& problem, const VectorXd& y, double slope, double& value, SolveReport& report);

  SolverOptions options_;
  std::unique_ptr<ApproximateHessian> hessian_;
  std::unique_ptr<Direction> direction_;
  bool line_search_;
  int iterations_ = 0;  ///< at most
  ProjectiveFit fit_;
  VectorXd gradient_, next_gradient_, d_, trial_;
};

}  // namespace brio

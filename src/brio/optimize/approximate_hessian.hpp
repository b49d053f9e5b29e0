#pragma once
// Matrices that stand in for the second derivative of a stage in quasi-Newton methods ([QN] section 5,
// figure 8). Each is factored rarely and solved with often.

#include "brio/optimize/stage_problem.hpp"

namespace brio {

class ApproximateHessian {
 public:
  virtual ~ApproximateHessian() = default;
  /// Makes ready for a problem, once, before the first prepare(). Throws Error where the problem has no such matrix.
  virtual void bind(StageProblem& problem) = 0;
  /// Makes ready for the problem's stage, of which y is the guess. False when the matrix is not positive definite.
  virtual bool prepare(StageProblem& problem, const VectorXd& y, SolveReport& report) = 0;
  /// Overwrites x with the inverse times x.
  virtual void solve(StageProblem& problem, VectorXd& x) = 0;
  /// How it compares with the true second derivative, so far as that is known.
  virtual ProjectiveFit fit(const StageProblem&) const { return {}; }
};

/// M/s^2 + L, the paper's choice.
std::unique_ptr<ApproximateHessian> projective_hessian();
/// The same with its factor in single precision: as good a start for L-BFGS, at half the memory traffic of the solves.
std::unique_ptr<ApproximateHessian> single_precision_projective_hessian();
/// A multiple of the identity, as if inertia were all; for L-BFGS that finds the right multiple.
std::unique_ptr<ApproximateHessian> identity_hessian();
/// The second derivative at rest, factored once.
std::unique_ptr<ApproximateHessian> rest_hessian();
/// The projected second derivative at the guess, factored once per stage.
std::unique_ptr<ApproximateHessian> frame_hessian();

}  // namespace brio

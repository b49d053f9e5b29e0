#pragma once
// Matrices that stand in for the second derivative of a stage in quasi-Newton methods ([quasi-newton] section 5,
// figure 8). Each is factored rarely and solved with often.

#include "brio/optimize/stage_problem.hpp"

namespace brio {

class RoughHessian {
 public:
  virtual ~RoughHessian() = default;
  /// Makes ready for the problem's stage, of which y is the guess. False when the matrix is not positive definite.
  virtual bool prepare(StageProblem& problem, const VectorXd& y, SolveReport& report) = 0;
  /// Overwrites x with the inverse times x; `inverse_curvature` is an estimate along the last step, or 0.
  virtual void solve(StageProblem& problem, double inverse_curvature, VectorXd& x) = 0;
};

/// M/s^2 + L, the paper's choice.
std::unique_ptr<RoughHessian> projective_hessian();
/// A multiple of the identity (Nocedal and Wright's advice).
std::unique_ptr<RoughHessian> identity_hessian();
/// The second derivative at rest, factored once.
std::unique_ptr<RoughHessian> rest_hessian();
/// The projected second derivative at the guess, factored once per stage.
std::unique_ptr<RoughHessian> frame_hessian();

}  // namespace brio

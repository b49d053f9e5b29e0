#pragma once
// Modes over one step where damping couples them: x'' = b - C (x' - a) - lambda x for all of them at once, with x = 0
// and x' = a at the start. Where C is diagonal every mode is on its own (modal_step.hpp); otherwise the exponential of
// the projected system of [SIERE] eq. 11, with its damping, is taken as a dense matrix. Allocates nothing once warm.

#include "brio/core/types.hpp"

namespace brio {

class CoupledModes {
 public:
  /// `C` may be empty for no damping [1/s]; lambda [1/s^2], a, b as in Mode.
  void step(const Eigen::Ref<const VectorXd>& lambda, const MatrixXd& C, const VectorXd& a, const VectorXd& b,
            double h);

  const VectorXd& dq() const { return dq_; }
  const VectorXd& dv() const { return dv_; }

 private:
  void exponential(const Eigen::Ref<const VectorXd>& lambda, const MatrixXd& C, const VectorXd& a, const VectorXd& b,
                   double h);

  VectorXd dq_, dv_;
  MatrixXd generator_, power_, result_;
};

}  // namespace brio

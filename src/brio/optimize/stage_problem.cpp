#include "brio/optimize/stage_problem.hpp"

#include <cmath>
#include <limits>

namespace brio {

void StageProblem::velocity(const VectorXd& y, VectorXd& w) const { w = stage_->w0 + (y - stage_->y0) / stage_->c; }

void StageProblem::assemble(const VectorXd& y, Psd psd, VectorXd& residual) {
  lin_->assemble(stage_->t, y, psd, residual);
  round_off_ = 16 * std::numeric_limits<double>::epsilon() * size(residual);
  velocity(y, w_);
  system_.load(stage_->t, y, w_, load_);
  residual += system_.mass().cwiseProduct(y - stage_->y_hat) / (stage_->s * stage_->s) - load_;
  if (system_.has_damping()) {
    lin_->multiply_damping(w_, product_);
    residual += product_;
  }
}

double StageProblem::objective(const VectorXd& y) {
  product_ = y - stage_->y_hat;
  const double inertia = product_.dot(system_.mass().cwiseProduct(product_)) / (2 * stage_->s * stage_->s);
  const Potentials potentials = system_.potentials(stage_->t, y);
  const double work = load_.dot(y);
  double damping = 0;
  if (system_.has_damping() && std::isfinite(stage_->c)) {
    velocity(y, w_);
    lin_->multiply_damping(w_, product_);
    damping = stage_->c / 2 * w_.dot(product_);
  }
  objective_scale_ = inertia + damping + std::fabs(potentials.elastic) + std::fabs(potentials.gravity) +
                     std::fabs(potentials.contact) + std::fabs(work);
  return inertia + damping + potentials.total() - work;
}

FactorStatus StageProblem::factor(double shift) {
  return lin_->factor(1 / (stage_->s * stage_->s), 1 / stage_->c, 1, shift);
}

double StageProblem::size(const VectorXd& residual) const {
  const VectorXd& mass = system_.mass();
  return stage_->s * std::sqrt((residual.array().square() / mass.array()).sum() / mass.sum());
}

}  // namespace brio

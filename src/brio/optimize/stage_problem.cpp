#include "brio/optimize/stage_problem.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace brio {
namespace {

constexpr int kGrain = 2048;  // degrees of freedom that are worth a task

}  // namespace

void StageProblem::solve_by_iterations(double tolerance, int iterations) {
  if (const IterativeSystem* system = system_.iterative())
    lin_ = system->iterative_linearization(tolerance, iterations);
}

void StageProblem::prepare_projective() {
  const ProjectiveSystem* system = system_.projective();
  if (!system)
    throw Error(
        "it puts one constant matrix in place of the stiffness, and bones and condensed bodies have coordinates that "
        "change with every step: take them out");
  projective_ = system->projective_matrix();
  projective_for_.reset();
}

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
  if (!contacts_) return;
  add_contact(y, &residual);
  lin_->touched()->set_touches(contacts_->stiffnesses(), stage_->end_weight * stage_->end_rate);
}

double StageProblem::add_contact(const VectorXd& y, VectorXd* gradient) {
  if (!contacts_) return 0;
  find_end(y, q1_);
  return stage_->end_weight / stage_->end_rate *
         contacts_->evaluate(q1_, stage_->contact, gradient, stage_->end_weight);
}

double StageProblem::objective(const VectorXd& y) {
  product_ = y - stage_->y_hat;
  const double inertia = product_.dot(system_.mass().cwiseProduct(product_)) / (2 * stage_->s * stage_->s);
  Potentials potentials = system_.potentials(stage_->t, y);
  potentials.contact += add_contact(y, nullptr);
  const double work = load_.dot(y);
  double damping = 0;
  if (system_.has_damping() && std::isfinite(stage_->c)) {
    velocity(y, w_);
    lin_->multiply_damping(w_, product_);
    damping = stage_->c / 2 * w_.dot(product_);
  }
  return sum_of_terms(inertia, damping, potentials, work);
}

void StageProblem::freeze_load(const VectorXd& y) {
  velocity(y, w_);
  system_.load(stage_->t, y, w_, load_);
  has_load_ = !load_.isZero(0);
  // D may be a multiple of the stiffness, which evaluate() does not assemble: that of the beginning serves the stage.
  if (system_.has_damping() && !lin_->damping_is_constant()) lin_->assemble(stage_->t, y, Psd::clamp, product_);
}

double StageProblem::renew_load(const VectorXd& y, VectorXd& gradient) {
  if (!has_load_) return 0;
  velocity(y, w_);
  system_.load(stage_->t, y, w_, new_load_);
  gradient += load_ - new_load_;
  const double change = (load_ - new_load_).dot(y);
  load_.swap(new_load_);
  return change;
}

Potentials StageProblem::potentials_and_gradient(const VectorXd& y, VectorXd& gradient) const {
  if (!cached_ || cached_->t != stage_->t || cached_->q != y)
    return system_.potentials_and_gradient(stage_->t, y, gradient);
  gradient = cached_->gradient;
  return cached_->potentials;
}

double StageProblem::evaluate(const VectorXd& y, VectorXd& gradient) {
  Potentials potentials = potentials_and_gradient(y, gradient);
  potentials.contact += add_contact(y, &gradient);
  const VectorXd& mass = system_.mass();
  const int n = static_cast<int>(y.size());
  const double per_s2 = 1 / (stage_->s * stage_->s);
  round_off_ = 16 * std::numeric_limits<double>::epsilon() * size(gradient);
  const double inertia = 0.5 * parallel_sum(n, kGrain, [&](int begin, int end) {
                           const auto part = [&](const VectorXd& x) { return x.segment(begin, end - begin); };
                           const auto away = part(y) - part(stage_->y_hat);
                           const auto force = per_s2 * part(mass).cwiseProduct(away);
                           gradient.segment(begin, end - begin) += force;
                           return force.dot(away);
                         });
  double damping = 0, work = 0;
  if (has_load_) {
    gradient -= load_;
    work = load_.dot(y);
  }
  if (system_.has_damping() && std::isfinite(stage_->c)) {
    velocity(y, w_);
    lin_->multiply_damping(w_, product_);
    gradient += product_;
    damping = stage_->c / 2 * w_.dot(product_);
  }
  return sum_of_terms(inertia, damping, potentials, work);
}

double StageProblem::sum_of_terms(double inertia, double damping, const Potentials& potentials, double work) {
  objective_scale_ = inertia + damping + std::fabs(potentials.elastic) + std::fabs(potentials.gravity) +
                     std::fabs(potentials.contact) + std::fabs(work);
  return inertia + damping + potentials.total() - work;
}

bool StageProblem::projective_is_current() const { return projective_for_ == std::pair(stage_->s, stage_->c); }

FactorStatus StageProblem::factor_projective() {
  if (projective_is_current()) return projective_status_;
  projective_for_ = {stage_->s, stage_->c};
  projective_status_ = projective_->factor(1 / (stage_->s * stage_->s), 1 / stage_->c);
  return projective_status_;
}

FactorStatus StageProblem::factor(double shift) {
  return lin_->factor(1 / (stage_->s * stage_->s), 1 / stage_->c, 1, shift);
}

double StageProblem::size(const VectorXd& residual) const {
  const VectorXd& mass = system_.mass();
  const double squared = parallel_sum(static_cast<int>(mass.size()), kGrain, [&](int begin, int end) {
    return (residual.segment(begin, end - begin).array().square() / mass.segment(begin, end - begin).array()).sum();
  });
  return stage_->s * std::sqrt(squared / mass.sum());
}

double StageProblem::speed(const VectorXd& change) const {
  const VectorXd& mass = system_.mass();
  const double squared = parallel_sum(static_cast<int>(mass.size()), kGrain, [&](int begin, int end) {
    return (mass.segment(begin, end - begin).array() * change.segment(begin, end - begin).array().square()).sum();
  });
  return std::sqrt(squared / mass.sum()) / stage_->c;
}

double StageProblem::speed_gained(const VectorXd& y) const {
  const VectorXd& mass = system_.mass();
  const double squared = parallel_sum(static_cast<int>(mass.size()), kGrain, [&](int begin, int end) {
    const auto part = [&](const VectorXd& x) { return x.segment(begin, end - begin).array(); };
    return (part(mass) * (part(y) - part(stage_->y0)).square()).sum();
  });
  return std::max(std::sqrt(squared / mass.sum()) / stage_->c, stage_->s * system_.free_fall());
}

bool StageProblem::solved(double size, double tolerance, const VectorXd& y) const {
  return size <= round_off_ || size <= tolerance * speed_gained(y);
}

bool StageProblem::is_noise(double size, const VectorXd& y) {
  // Signs as good as random, and the same in every run.
  const auto sign = [](Index i) { return (static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15u) >> 63 ? 1.0 : -1.0; };
  shaken_ = y;
  for (Index i = 0; i < y.size(); ++i) shaken_[i] += sign(i) * std::numeric_limits<double>::epsilon() * std::fabs(y[i]);
  system_.gradient(stage_->t, shaken_, shaken_gradient_);
  system_.gradient(stage_->t, y, product_);
  shaken_gradient_ -= product_;
  shaken_ -= y;
  shaken_gradient_ += system_.mass().cwiseProduct(shaken_) / (stage_->s * stage_->s);
  if (system_.has_damping()) {
    lin_->multiply_damping(shaken_, product_);
    shaken_gradient_ += product_ / stage_->c;
  }
  return size <= this->size(shaken_gradient_);
}

}  // namespace brio

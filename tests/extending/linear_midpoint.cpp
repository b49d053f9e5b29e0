#include "linear_midpoint.hpp"

namespace brio {

StepReport LinearMidpoint::step(State& state, double h) {
  StepReport report;
  Stopwatch watch;
  const System& system = matrix_->system();
  Linearization& lin = matrix_->linearization();

  // Supports, obstacles and loads that move are taken from the middle of the step, which keeps the second order.
  const double middle = state.t + h / 2;
  if (!matrix_->prepare(middle, state.q, 1, h / 2, h * h / 4, false, gradient_, report, watch)) return report;
  system.load(middle, state.q, state.v, load_);
  lin.multiply_stiffness(state.v, product_);
  dv_ = load_ - gradient_ - h / 2 * product_;
  if (system.has_damping()) {
    lin.multiply_damping(state.v, product_);
    dv_ -= product_;
  }
  dv_ *= h;
  report.time.other += watch.lap();
  lin.solve(dv_);
  ++report.solves;
  report.time.solve += watch.lap();

  if (!dv_.allFinite()) {  // a numerical failure is a status, and the state stays as it was
    report.status = StepStatus::diverged;
    report.reason = "the change of velocity is not finite";
    return report;
  }
  mean_ = state.v + dv_ / 2;
  if (system.has_damping()) {  // the power of damping at the middle, for the energy budget
    lin.multiply_damping(mean_, product_);
    report.dissipated = h * mean_.dot(product_);
  }
  state.q += h * mean_;
  state.v += dv_;
  state.t += h;
  report.time.other += watch.lap();
  return report;
}

IntegratorEntry LinearMidpoint::entry() {
  return {{"my-midpoint", "the implicit midpoint rule, linearized: one solve a step, keeps vibrations", {psd_option()}},
          [](const Options& o) { return std::make_unique<LinearMidpoint>(psd_policy(o)); },
          [](const Options&, double) { return 1.0; }};  // what a step does to the amplitude of a vibration
}

}  // namespace brio

#include "brio/integrate/parts/implicit_matrix.hpp"

#include "brio/core/error.hpp"

namespace brio {

Option psd_option() {
  return Option::choice(
             "psd", {"auto", "clamp", "none"},
             "projection of the stiffness: in the steps that need it, always, or only when nothing else works")
      .with_default("auto");
}

PsdPolicy psd_policy(const Options& options) {
  const std::string& name = options.text("psd");
  return name == "clamp" ? PsdPolicy::clamp : name == "none" ? PsdPolicy::none : PsdPolicy::automatic;
}

FactorStatus ImplicitMatrix::add_touches_and_factor(VectorXd& gradient, StepReport& report, Stopwatch& watch) {
  if (touches_) {
    lin_->touched()->set_touches(*touches_, touch_weight_);
    gradient = untouched_;
    for (const Touch& touch : *touches_) gradient.segment<3>(3 * touch.point) += touch_gradient(touch);
  }
  const FactorStatus status = lin_->factor(m_, d_, k_, shift_);
  report.time.factor += watch.lap();
  ++report.factorizations;
  return status;
}

bool ImplicitMatrix::renew_touches(const std::vector<Touch>& touches, VectorXd& gradient, StepReport& report,
                                   Stopwatch& watch) {
  touches_ = &touches;
  report.time.other += watch.lap();
  if (add_touches_and_factor(gradient, report, watch) == FactorStatus::ok) return true;
  report.status = StepStatus::diverged;
  report.reason = "the step's matrix cannot be factored with what touches at its end";
  return false;
}

bool ImplicitMatrix::prepare(double t, const VectorXd& q, double m, double d, double k, bool project,
                             VectorXd& gradient, StepReport& report, Stopwatch& watch) {
  const auto assemble_and_factor = [&](Psd psd, double shift) {
    lin_->assemble(t, q, psd, gradient);
    if (touches_) untouched_ = gradient;
    report.time.assembly += watch.lap();
    m_ = m, d_ = d, k_ = k, shift_ = shift;
    projected_ = psd == Psd::clamp;
    return add_touches_and_factor(gradient, report, watch) == FactorStatus::ok;
  };
  report.time.other += watch.lap();
  const bool start_projected = project || policy_ == PsdPolicy::clamp;
  if (assemble_and_factor(start_projected ? Psd::clamp : Psd::none, 0)) return true;
  if (!start_projected) {
    ++report.projections;
    if (assemble_and_factor(Psd::clamp, 0)) return true;
  }
  // Projected, A is positive definite but for round-off: a growing multiple of the mass outweighs that.
  for (double shift = 1e-6 * m; shift <= 1e6 * m; shift *= 1e3) {
    ++report.shifts;
    if (assemble_and_factor(Psd::clamp, shift)) return true;
  }
  report.status = StepStatus::diverged;
  report.reason = "the step's matrix cannot be factored: the state is not finite or the stiffness is out of range";
  return false;
}

}  // namespace brio

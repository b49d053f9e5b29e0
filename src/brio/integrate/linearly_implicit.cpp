#include "brio/integrate/linearly_implicit.hpp"

namespace brio {

StepReport LinearlyImplicit::step(const System& system, State& state, double h) {
  StepReport report;
  Stopwatch watch;
  if (!matrix_ || &matrix_->system() != &system) matrix_ = std::make_unique<ImplicitMatrix>(system, policy_);
  bool done = try_step(state, h, false, report, watch);
  if (policy_ == PsdPolicy::automatic && !matrix_->projected() && (!done || gained_energy(state, h))) {
    ++report.projections;
    report.status = StepStatus::ok;
    done = try_step(state, h, true, report, watch);
  }
  if (done && !(next_.q.allFinite() && next_.v.allFinite())) {
    report.status = StepStatus::diverged;
    report.reason = "positions or velocities are no longer finite";
  }
  if (report.status == StepStatus::ok) {
    if (system.has_damping()) {
      gradient_ = next_.q - state.q;
      linearization().multiply_damping(gradient_, product_);
      report.dissipated = gradient_.dot(product_) / h;
    }
    next_.t = state.t + h;
    std::swap(state, next_);
  }
  report.time.other += watch.lap();
  return report;
}

bool LinearlyImplicit::try_step(const State& state, double h, bool project, StepReport& report, Stopwatch& watch) {
  const double t = state.t + h;
  if (!matrix_->prepare(t, state.q, 1, h, beta_ * h * h, project, gradient_, report, watch)) return false;
  system().load(t, state.q, state.v, load_);
  force_ = load_ - gradient_;
  if (system().has_damping()) {
    linearization().multiply_damping(state.v, product_);
    force_ -= product_;
  }
  velocity_ = state.v;
  next_.memory.resize(memory_);
  update(state, h, report, watch);
  if (report.status != StepStatus::ok) return false;
  next_.q = state.q + dq_;
  next_.v = state.v + dv_;
  return true;
}

void LinearlyImplicit::solve_increment(const VectorXd& v, const VectorXd& f, double h, VectorXd& dv, StepReport& report,
                                       Stopwatch& watch) {
  linearization().multiply_stiffness(v, product_);
  dv = h * (f - beta_ * h * product_);
  report.time.other += watch.lap();
  linearization().solve(dv);
  ++report.solves;
  report.time.solve += watch.lap();
}

/// Whether the step made energy from nothing, as an indefinite stiffness does. Contact is left out: a penalty that was
/// not felt at the beginning of the step is met at its end by every linearly implicit method.
bool LinearlyImplicit::gained_energy(const State& state, double h) const {
  constexpr double kTolerated = 0.05;  // of the energy in motion and strain; truncation error stays well below
  const double t = state.t + h;
  const auto kinetic = [&](const VectorXd& v) { return 0.5 * v.dot(system().mass().cwiseProduct(v)); };
  const Potentials before = system().potentials(t, state.q), after = system().potentials(t, next_.q);
  const double work = load_.dot(next_.q - state.q);
  const double moving = kinetic(next_.v) + after.elastic;
  const double gain = moving + after.gravity - kinetic(state.v) - before.elastic - before.gravity - work;
  return !(gain <= kTolerated * moving);
}

}  // namespace brio

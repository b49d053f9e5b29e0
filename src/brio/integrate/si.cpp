#include "brio/integrate/si.hpp"

#include "brio/integrate/amplification.hpp"

namespace brio {

StepReport SemiImplicitEuler::step(const System& system, State& state, double h) {
  StepReport report;
  Stopwatch watch;
  if (!matrix_ || &matrix_->system() != &system) matrix_ = std::make_unique<ImplicitMatrix>(system, policy_);
  bool done = try_step(state, h, false, report, watch);
  if (policy_ == PsdPolicy::automatic && !matrix_->projected() && (!done || gained_energy(state, h))) {
    ++report.projections;
    done = try_step(state, h, true, report, watch);
  }
  if (done && !(q_.allFinite() && v_.allFinite())) {
    report.status = StepStatus::diverged;
    report.reason = "positions or velocities are no longer finite";
  }
  if (report.status == StepStatus::ok) {
    if (system.has_damping()) {
      rhs_ = q_ - state.q;
      matrix_->linearization().multiply_damping(rhs_, product_);
      report.dissipated = rhs_.dot(product_) / h;
    }
    state.q.swap(q_);
    state.v.swap(v_);
    state.t += h;
  }
  report.time.other += watch.lap();
  return report;
}

/// (M + hD + beta h^2 K) dv = h (f - beta h K v), f = -grad E - D v + load. Solving for dv rather than for v + dv keeps
/// round-off proportional to the change, so that a body in free flight keeps its momentum however stiff it is.
bool SemiImplicitEuler::try_step(const State& state, double h, bool project, StepReport& report, Stopwatch& watch) {
  const System& system = matrix_->system();
  Linearization& lin = matrix_->linearization();
  const double t = state.t + h;
  if (!matrix_->prepare(t, state.q, 1, h, beta_ * h * h, project, gradient_, report, watch)) return false;
  system.load(t, state.q, state.v, load_);
  lin.multiply_stiffness(state.v, product_);
  rhs_ = h * (load_ - gradient_ - beta_ * h * product_);
  if (system.has_damping()) {
    lin.multiply_damping(state.v, product_);
    rhs_ -= h * product_;
  }
  report.time.other += watch.lap();
  lin.solve(rhs_);
  ++report.solves;
  report.time.solve += watch.lap();
  v_ = state.v + rhs_;
  q_ = state.q + h * v_;
  return true;
}

/// Whether the step made energy from nothing, as an indefinite stiffness does. Contact is left out: a penalty that was
/// not felt at the beginning of the step is met at its end by every linearly implicit method.
bool SemiImplicitEuler::gained_energy(const State& state, double h) const {
  constexpr double kTolerated = 0.05;  // of the energy in motion and strain; truncation error stays well below
  const System& system = matrix_->system();
  const double t = state.t + h;
  const auto kinetic = [&](const VectorXd& v) { return 0.5 * v.dot(system.mass().cwiseProduct(v)); };
  const Potentials before = system.potentials(t, state.q), after = system.potentials(t, q_);
  const double work = load_.dot(q_ - state.q);
  const double moving = kinetic(v_) + after.elastic;
  const double gain = moving + after.gravity - kinetic(state.v) - before.elastic - before.gravity - work;
  return !(gain <= kTolerated * moving);
}

IntegratorEntry SemiImplicitEuler::entry() {
  return {{"si",
           "linearly implicit Euler: one linear solve a step, robust, loses energy",
           {Option::number("beta", "", "factor on h^2 K: above 1 more damping, 1/2 the least that is stable")
                .with_default(1.0)
                .above(0),
            psd_option()}},
          [](const Options& o) { return std::make_unique<SemiImplicitEuler>(o.number("beta"), psd_policy(o)); },
          [](const Options& o, double z) {
            // With D = 1 + beta z^2: v1 = (v0 - z x0) / D, x1 = x0 + z v1, where x = omega q.
            const double D = 1 + o.number("beta") * z * z;
            return spectral_radius((D - z * z + 1) / D, 1 / D);
          }};
}

}  // namespace brio

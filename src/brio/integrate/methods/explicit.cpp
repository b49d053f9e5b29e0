#include "brio/integrate/methods/explicit.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/integrate/parts/amplification.hpp"
#include "brio/integrate/parts/contact_after.hpp"

#include <complex>

namespace brio {
namespace {

class ForwardEuler : public ExplicitIntegrator {
  void advance(TotalForce& force, const State& state, double h) override {
    acceleration(force, state.t, state.q, state.v, a_);
    q_ = state.q + h * state.v;
    v_ = state.v + h * a_;
  }
  VectorXd a_;
};

/// Velocities first, then positions with the new velocities: symplectic, and stable up to h omega = 2.
class SymplecticEuler : public ExplicitIntegrator {
  void advance(TotalForce& force, const State& state, double h) override {
    acceleration(force, state.t, state.q, state.v, a_);
    v_ = state.v + h * a_;
    q_ = state.q + h * v_;
  }
  VectorXd a_;
};

class RungeKutta4 : public ExplicitIntegrator {
  void advance(TotalForce& force, const State& state, double h) override {
    const double t = state.t;
    acceleration(force, t, state.q, state.v, a1_);
    stage(state, h / 2, state.v, a1_);
    v2_ = v_;
    acceleration(force, t + h / 2, q_, v_, a2_);
    stage(state, h / 2, v2_, a2_);
    v3_ = v_;
    acceleration(force, t + h / 2, q_, v_, a3_);
    stage(state, h, v3_, a3_);
    v4_ = v_;
    acceleration(force, t + h, q_, v_, a4_);
    q_ = state.q + h / 6 * (state.v + 2 * v2_ + 2 * v3_ + v4_);
    v_ = state.v + h / 6 * (a1_ + 2 * a2_ + 2 * a3_ + a4_);
  }
  void stage(const State& state, double h, const VectorXd& v, const VectorXd& a) {
    q_ = state.q + h * v;
    v_ = state.v + h * a;
  }
  VectorXd a1_, a2_, a3_, a4_, v2_, v3_, v4_;
};

/// `theta`: see with_contact_after().
template <class Method>
IntegratorEntry explicit_entry(const std::string& name, const std::string& summary, double theta,
                               double (*amplification)(double)) {
  IntegratorEntry row = {
      {name, summary, {}},
      [theta](const Options&) { return with_contact_after(std::make_unique<Method>(), ContactAnswer::mass, theta); },
      [amplification](const Options&, double h_omega) { return amplification(h_omega); }};
  row.matrices = [](const Options&) { return MatrixUse::none; };
  return row;
}

}  // namespace

void ExplicitIntegrator::acceleration(TotalForce& force, double t, const VectorXd& q, const VectorXd& v, VectorXd& a) {
  force.evaluate(t, q, v, a);
  a.array() /= force.system().mass().array();
}

StepReport ExplicitIntegrator::step(State& state, double h) {
  StepReport report;
  Stopwatch watch;
  advance(*force_, state, h);
  report.time.assembly = watch.lap();
  if (!(q_.allFinite() && v_.allFinite())) {
    report.status = StepStatus::diverged;
    report.reason = "positions or velocities are no longer finite";
    return report;
  }
  report.dissipated = h / 2 * (force_->dissipation(state.v) + force_->dissipation(v_));
  state.q.swap(q_);
  state.v.swap(v_);
  state.t += h;
  report.time.other = watch.lap();
  return report;
}

IntegratorEntry forward_euler() {
  return explicit_entry<ForwardEuler>("fe", "forward Euler: explicit, gains energy at any step", 0.5,
                                      [](double z) { return std::hypot(1, z); });
}

IntegratorEntry symplectic_euler() {
  return explicit_entry<SymplecticEuler>("se",
                                         "symplectic Euler: explicit, keeps energy as long as the step is short enough",
                                         1, [](double z) { return spectral_radius(2 - z * z, 1); });
}

IntegratorEntry runge_kutta_4() {
  return explicit_entry<RungeKutta4>(
      "rk4", "Runge-Kutta of order four: explicit and accurate, the usual reference at a short step", 0.5,
      [](double z) {
        // the exponential series of i z up to the fourth power
        return std::abs(std::complex<double>(1 - z * z / 2 + z * z * z * z / 24, z - z * z * z / 6));
      });
}

}  // namespace brio

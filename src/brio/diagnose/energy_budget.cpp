#include "brio/diagnose/energy_budget.hpp"

#include <cmath>

namespace brio {

EnergyBudget::EnergyBudget(const System& system, const State& start) : system_(&system), t_(start.t), q_(start.q) {
  system_->load(start.t, start.q, start.v, load_);
  measure(start);
}

void EnergyBudget::measure(const State& state) {
  kinetic_ = 0.5 * state.v.dot(system_->mass().cwiseProduct(state.v));
  potentials_ = system_->potentials(state.t, state.q);
}

/// Both integrals by the trapezoidal rule: of load . dq, and of dE/dt at fixed q.
void EnergyBudget::book(const State& state, double dissipated) {
  system_->load(state.t, state.q, state.v, next_load_);
  injected_ += 0.5 * (load_.dot(state.q - q_) + next_load_.dot(state.q - q_));
  load_.swap(next_load_);
  const double before = potentials_.total();
  measure(state);
  if (system_->time_dependent()) {
    const double moved_before = system_->potentials(state.t, q_).total() - before;
    const double moved_after = potentials_.total() - system_->potentials(t_, state.q).total();
    injected_ += 0.5 * (moved_before + moved_after);
  }
  dissipated_ += dissipated;
  q_ = state.q;
  t_ = state.t;
}

double EnergyBudget::go_on_with(const System& system, const State& state) {
  const double before = total();
  system_ = &system;
  t_ = state.t;
  q_ = state.q;
  system_->load(state.t, state.q, state.v, load_);
  measure(state);
  const double change = total() - before;
  (change > 0 ? injected_ : dissipated_) += std::fabs(change);
  return change;
}

}  // namespace brio

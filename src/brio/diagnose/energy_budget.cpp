#include "brio/diagnose/energy_budget.hpp"

#include <cmath>

namespace brio {

EnergyBudget::EnergyBudget(const System& system, const State& start) : system_(&system) { measure(start); }

void EnergyBudget::measure(const State& state) {
  kinetic_ = 0.5 * state.v.dot(system_->mass().cwiseProduct(state.v));
  potentials_ = system_->potentials(state.t, state.q);
  last_.t = state.t;
  last_.q = state.q;
  last_.v = state.v;
}

void EnergyBudget::book(const State& state, double dissipated) {
  const State before = std::move(last_);
  const double potential_before = potentials_.total();
  measure(state);
  outside_.begin(*system_, before, potential_before, last_.t);
  injected_ += outside_.until(last_, potentials_.total());
  dissipated_ += dissipated;
}

void EnergyBudget::archive(Archive& archive) { archive(injected_, dissipated_); }

void EnergyBudget::go_on(const System& system, const State& state) {
  system_ = &system;
  measure(state);
}

double EnergyBudget::set_system(const System& system, const State& state) {
  const double before = total();
  system_ = &system;
  measure(state);
  const double change = total() - before;
  (change > 0 ? injected_ : dissipated_) += std::fabs(change);
  return change;
}

}  // namespace brio

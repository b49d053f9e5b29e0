#pragma once
// Where energy comes from and goes to: the work of loads and of moving supports, attachments and obstacles, and what
// the damping matrix and friction take out. What is then still missing was lost (or made) by the integrator.

#include "brio/system/system.hpp"

namespace brio {

class EnergyBudget {
 public:
  EnergyBudget(const System& system, const State& start);

  /// Books one step that led to `state` and lost `dissipated` [J] to damping.
  void book(const State& state, double dissipated);

  /// Goes on with another system in place of the old one, as after a cut; a gain counts as injected, a loss as
  /// dissipated. Returns the change [J].
  double set_system(const System& system, const State& state);

  double kinetic() const { return kinetic_; }  ///< of the free vertices [J]
  const Potentials& potentials() const { return potentials_; }
  double total() const { return kinetic_ + potentials_.total(); }
  double injected() const { return injected_; }      ///< by loads and moving parts since the start [J]
  double dissipated() const { return dissipated_; }  ///< by damping since the start [J]

 private:
  void measure(const State& state);

  const System* system_;
  State last_;  ///< without memory
  double kinetic_ = 0, injected_ = 0, dissipated_ = 0;
  Potentials potentials_;
};

}  // namespace brio

#pragma once
// The energy budget of a run: work of loads and of moving supports, attachments and obstacles, and dissipation by the
// damping matrix and by friction. The rest of a change in energy is the error of the integrator.

#include "brio/core/archive.hpp"
#include "brio/integrate/parts/outside_work.hpp"
#include "brio/system/system.hpp"

namespace brio {

class EnergyBudget {
 public:
  EnergyBudget(const System& system, const State& start);

  /// Accounts for one step that ended in `state` and dissipated `dissipated` [J] by damping.
  void book(const State& state, double dissipated);

  /// Replaces the system, as after a cut. An increase in energy counts as injected, a decrease as dissipated. Returns
  /// the change [J].
  double set_system(const System& system, const State& state);

  /// The books so far; who loads them says with go_on() where they go on.
  void archive(Archive& archive);
  void go_on(const System& system, const State& state);

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
  OutsideWork outside_;
};

}  // namespace brio

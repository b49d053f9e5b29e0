#pragma once
// Integrators by name, as a scene would make them.

#include "brio/integrate/integrator.hpp"

namespace brio::testing {

std::unique_ptr<Integrator> integrator(const std::string& name, const std::map<std::string, OptionValue>& options = {});

/// As `integrator`, with the implicit ones solved far more tightly than usual, so that only the method's own error is
/// seen.
std::unique_ptr<Integrator> tight_integrator(const std::string& name, std::map<std::string, OptionValue> options = {});

/// A method made ready for a system.
template <class Pointer>
Pointer prepared(const System& system, Pointer method) {
  method->prepare(system);
  return method;
}

/// One step of a method that is of no use afterwards.
template <class Method>
StepReport step_once(Method method, const System& system, State& state, double h) {
  method.prepare(system);
  return method.step(state, h);
}

/// What a step, or a run, reports of itself by that name; 0 where it does not.
inline double extra(const StepWork& work, std::string_view name) { return work.extras.find(name).value_or(0); }

}  // namespace brio::testing

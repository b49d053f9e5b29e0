#pragma once
// What acts on velocities alone, after the step of whatever integrator and apart from it: damping of the deformation,
// friction ([STABLE] section 4.3).

#include "brio/integrate/integrator.hpp"

namespace brio {

class VelocityOperator {
 public:
  virtual ~VelocityOperator() = default;
  /// Makes ready for a system, which must stay where it is. Throws Error where the system has nothing to act upon.
  virtual void prepare(const System& system) = 0;
  /// Changes the velocities of a state that was reached by a step of length h [s]; returns the energy that it took [J].
  virtual double apply(State& state, double h) = 0;
};

/// Takes the share 1 - exp(-rate h) of each vertex's velocity relative to the rigid motion of its piece (equations 32
/// to 36), so that linear and angular momentum stay. The rate [1/s] makes it independent of the step length.
std::unique_ptr<VelocityOperator> deformation_damping(double rate);

/// Coulomb's law at the places that System::friction() gives, with the impulse of the contact force over the step.
std::unique_ptr<VelocityOperator> friction();

/// The integrator with the operators after each of its steps, in their order; what they take is in
/// StepReport::dissipated.
std::unique_ptr<Integrator> with_operators(std::unique_ptr<Integrator> integrator,
                                           std::vector<std::unique_ptr<VelocityOperator>> operators);

}  // namespace brio

#pragma once
// Explicit methods: no matrix, cheap steps, and a step limit of about two over the highest frequency.

#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/total_force.hpp"

namespace brio {

/// What the explicit methods share: the force, and the check of what came out.
class ExplicitIntegrator : public Integrator {
 public:
  void prepare(const System& system) final { force_ = std::make_unique<TotalForce>(system); }
  StepReport step(State& state, double h) final;

 protected:
  /// q_ and v_ at t + h from the state.
  virtual void advance(TotalForce& force, const State& state, double h) = 0;
  /// a = M^-1 f.
  void acceleration(TotalForce& force, double t, const VectorXd& q, const VectorXd& v, VectorXd& a);

  VectorXd q_, v_;

 private:
  std::unique_ptr<TotalForce> force_;
};

IntegratorEntry forward_euler();
IntegratorEntry symplectic_euler();
IntegratorEntry runge_kutta_4();

}  // namespace brio

#pragma once
// The implicit midpoint rule, linearized: one factorization and one solve a step, as linearly implicit Euler, but a
// vibration keeps its amplitude at any step. With the middle of the step v + dv/2 for the velocity and
// q + h/2 (v + dv/2) for the position,
//   (M + h/2 D + h^2/4 K) dv = h (f(q, v) - h/2 K v),   q+ = q + h (v + dv/2),   v+ = v + dv.

#include <brio/brio.hpp>

namespace brio {

class LinearMidpoint : public Integrator {
 public:
  explicit LinearMidpoint(PsdPolicy policy) : policy_(policy) {}
  static IntegratorEntry entry();

  void prepare(const System& system) override { matrix_ = std::make_unique<ImplicitMatrix>(system, policy_); }
  StepReport step(State& state, double h) override;

 private:
  PsdPolicy policy_;
  std::unique_ptr<ImplicitMatrix> matrix_;  ///< of the system that it was prepared for
  VectorXd gradient_, load_, product_, dv_, mean_;
};

}  // namespace brio

#pragma once
// Linearly implicit Euler ("SI" in [ERE] and [SIERE], "VANILLA" in [CONJAC] with the factor beta): one linear solve a
// step.

#include "brio/integrate/implicit_matrix.hpp"

namespace brio {

class SemiImplicitEuler : public Integrator {
 public:
  SemiImplicitEuler(double beta, PsdPolicy policy) : beta_(beta), policy_(policy) {}
  StepReport step(const System& system, State& state, double h) override;

  static IntegratorEntry entry();

 private:
  bool try_step(const State& state, double h, bool project, StepReport& report, Stopwatch& watch);
  bool gained_energy(const State& state, double h) const;

  double beta_;
  PsdPolicy policy_;
  std::unique_ptr<ImplicitMatrix> matrix_;
  VectorXd gradient_, load_, product_, rhs_, q_, v_;
};

}  // namespace brio

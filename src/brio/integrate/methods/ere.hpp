#pragma once
// Exponential Rosenbrock-Euler ([ERE] eq. 10): u+ = u + h phi_1(hJ) b(u), the exact motion of the system linearized at
// the beginning of the step. No artificial damping at any frequency, no factorization, and a cost that grows with the
// highest frequency.

#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/arnoldi_exponential.hpp"
#include "brio/integrate/parts/lanczos_exponential.hpp"

#include <optional>

namespace brio {

/// How the exponential is computed: by Lanczos where the damping allows it, or always by one of the two.
enum class ExponentialPath { automatic, arnoldi, lanczos };

class Ere : public Integrator {
 public:
  Ere(KrylovLimits limits, ExponentialPath path) : path_(path), arnoldi_(limits), lanczos_(limits) {}
  void prepare(const System& system) override;
  StepReport step(State& state, double h) override;
  static IntegratorEntry entry();

 private:
  KrylovOutcome advance(FrozenMotion motion, double h, StepReport& report);
  double dissipated(const State& state, const VectorXd& force);

  ExponentialPath path_;
  ArnoldiExponential arnoldi_;
  LanczosExponential lanczos_;
  const System* system_ = nullptr;  ///< what it was prepared for
  std::unique_ptr<Linearization> lin_;
  std::optional<ProportionalDamping> lanczos_damping_;  ///< where the exponential is by Lanczos' process
  VectorXd gradient_, force_, product_, dq_, dv_;
};

}  // namespace brio

#pragma once
// Exponential Rosenbrock-Euler ([ERE] eq. 10): u+ = u + h phi_1(hJ) b(u), the exact motion of the system linearized at
// the beginning of the step. No artificial damping at any frequency, no factorization, and a cost that grows with the
// highest frequency. Pieces that nothing holds are stepped in frames that move with them (docs/free-bodies.md): the
// linearized motion of a body that turns is not a turn.

#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/arnoldi_exponential.hpp"
#include "brio/integrate/parts/chebyshev_exponential.hpp"
#include "brio/integrate/parts/damped_exponential.hpp"
#include "brio/integrate/parts/lanczos_exponential.hpp"
#include "brio/integrate/parts/linearly_implicit.hpp"

#include <optional>

namespace brio {

/// How the exponential is computed: by Chebyshev polynomials where the stiffness is a matrix of blocks, or always by
/// one of them.
enum class ExponentialPath { automatic, arnoldi, lanczos, chebyshev };

class Ere : public Integrator {
 public:
  Ere(KrylovLimits limits, ExponentialPath path, FramePolicy frame = FramePolicy::automatic,
      LinearizedAt where = LinearizedAt::start)
      : path_(path), frame_policy_(frame), where_(where), arnoldi_(limits), lanczos_(limits), chebyshev_(limits), damped_(limits) {}
  void prepare(const System& system) override;
  StepReport step(State& state, double h) override;
  static IntegratorEntry entry();

 private:
  KrylovOutcome advance(FrozenMotion motion, double h, StepReport& report);
  double dissipated();
  bool enter_frames(const State& state, double h);

  ExponentialPath path_;
  FramePolicy frame_policy_;
  LinearizedAt where_;
  ArnoldiExponential arnoldi_;
  LanczosExponential lanczos_;
  ChebyshevExponential chebyshev_;
  DampedExponential damped_;  ///< the same where the damping has a stiffness of its own
  const System* system_ = nullptr;  ///< what it was prepared for
  std::unique_ptr<Linearization> lin_;
  ExponentialPath taken_ = ExponentialPath::arnoldi;  ///< the path of this system, not automatic
  std::unique_ptr<MovingFrames> frames_;                ///< none where nothing is free
  VectorXd velocity_, force_;                           ///< at the beginning of the step, as seen in the frames
  VectorXd ahead_, linearized_at_;                      ///< the latter is q and the former [m]
  VectorXd gradient_, load_, product_, dq_, dv_;
  State next_;
};

}  // namespace brio

#pragma once
// SIERE ([SIERE] eq. 5): the slowest modes of the current stiffness are carried exactly, the rest by linearly implicit
// Euler. Exact modes span an invariant subspace, so the implicit solve is needed on the rest only ("deflation"): one
// solve in place of the paper's 2 s + 4. The modes are followed from step to step with the step's own factor.

#include "brio/integrate/linearly_implicit.hpp"
#include "brio/system/modes.hpp"

namespace brio {

class Siere : public LinearlyImplicit {
 public:
  Siere(int modes, PsdPolicy policy, FramePolicy frame = FramePolicy::automatic)
      : LinearlyImplicit(1, policy, frame, modes > 0 ? 2 : 0), count_(modes) {}
  static IntegratorEntry entry();

 private:
  void update(const State& state, double h, StepReport& report, Stopwatch& watch) override;
  /// The modes of this step's stiffness, from those of the step before (in the state's memory) or cold.
  void follow_modes(const State& state, double h, StepReport& report, Stopwatch& watch);

  void find_modes_anew(double h, StepReport& report);

  int count_;
  int rigid_ = 0;  ///< how many of the modes are rigid motions
  Modes modes_;
  MatrixXd block_;
  VectorXd v_rest_, f_rest_, mode_, product_;
};

}  // namespace brio

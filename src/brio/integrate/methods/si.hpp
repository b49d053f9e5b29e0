#pragma once
// Linearly implicit Euler ("SI" in [ERE] and [SIERE], "VANILLA" in [CONJAC] with the factor beta): one linear solve a
// step.

#include "brio/integrate/parts/linearly_implicit.hpp"

namespace brio {

class SemiImplicitEuler : public LinearlyImplicit {
 public:
  SemiImplicitEuler(double beta, PsdPolicy policy, FramePolicy frame = FramePolicy::automatic)
      : LinearlyImplicit(LinearizedAt::start, {1, beta, 1 / beta}, policy, frame) {}
  static IntegratorEntry entry();

 private:
  void update(const State& state, double h, StepReport& report, Stopwatch& watch) override;
  bool is_plain() const override { return true; }
};

}  // namespace brio

#pragma once
// The linearly implicit midpoint rule: one Newton iteration on the implicit midpoint rule from the point that the
// velocity alone would reach. With q* = q + (h/2) v, M dv = h (f(q*) - (h/4) K dv - D (v + dv/2)) and dq = h (v +
// dv/2): one factor, one solve, no product with K. Derivation, order and limits: docs/lim.md.

#include "brio/integrate/parts/linearly_implicit.hpp"

namespace brio {

class LinearlyImplicitMidpoint : public LinearlyImplicit {
 public:
  explicit LinearlyImplicitMidpoint(PsdPolicy policy, FramePolicy frame = FramePolicy::automatic)
      : LinearlyImplicitMidpoint(policy, frame, 0) {}
  static IntegratorEntry entry();
  StepReport step(State& state, double h) override;

 protected:
  LinearlyImplicitMidpoint(PsdPolicy policy, FramePolicy frame, int memory)
      : LinearlyImplicit(LinearizedAt::middle, {}, policy, frame, memory) {
    set_theta(0.5);
  }
  /// The forces are taken at q + theta dq, with dq = h (v + theta dv): 1/2 is the midpoint rule, which keeps energy; 1
  /// is backward Euler's place, which damps what is fast.
  void set_theta(double theta) {
    theta_ = theta;
    weights_ = {theta, theta * theta, 1 / theta};  // obstacles push with the force at the end of the step
  }

 private:
  bool fall_back() override;
  void update(const State& state, double h, StepReport& report, Stopwatch& watch) override;
  bool is_plain() const override { return true; }

  double theta_ = 0.5;
};

}  // namespace brio

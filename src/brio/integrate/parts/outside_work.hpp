#pragma once
// The work that reaches a body from outside during a step: of loads, and of supports, attachments and obstacles that
// move.

#include "brio/system/system.hpp"

namespace brio {

/// The integrals of load . dq, by the midpoint rule, which a load that begins or ends between two steps does not
/// mislead, and of dE/dt at fixed q, by the trapezoidal rule.
class OutsideWork {
 public:
  /// Of a step that ends at time `end` [s]. `potential` is E of the state before it [J]. System and state are kept by
  /// reference.
  void begin(const System& system, const State& before, double potential, double end);
  /// The work on the way to the state after the step, where E is `potential` [J].
  double until(const State& after, double potential);

 private:
  const System* system_ = nullptr;
  const State* before_ = nullptr;
  VectorXd q_, v_, load_;
  double moved_ = 0;  ///< change of E from the beginning to the end at the positions before the step [J]
};

}  // namespace brio

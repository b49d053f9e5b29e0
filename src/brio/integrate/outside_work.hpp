#pragma once
// The work that reaches a body from outside during a step: of loads, and of supports, attachments and obstacles that
// move.

#include "brio/system/system.hpp"

namespace brio {

/// Both integrals by the trapezoidal rule: of load . dq, and of dE/dt at fixed q. The potentials are E(t, q) of the two
/// states [J].
double outside_work(const System& system, const State& before, double potential_before, const State& after,
                    double potential_after);

}  // namespace brio

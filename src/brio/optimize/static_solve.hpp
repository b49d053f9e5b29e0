#pragma once
// The shape in which a system stays at rest: grad E(t, q) = load(t, q, 0), a minimum of E - load.q. Newton with the
// true stiffness where that is positive definite, with the projected one where it is not, and a line search. Where
// nothing resists a motion (a free body, a slack rope) the stiffness is singular and a multiple of the mass is added,
// so that an iteration moves the body no further than a few times its own size.

#include "brio/system/system.hpp"

#include <functional>

namespace brio {

enum class StaticStatus {
  converged,
  out_of_iterations,
  stuck,    ///< no step reduces the energy, and the forces do not balance
  escaped,  ///< something moves away without end
  stopped   ///< on_iterate asked for it
};

struct StaticLimits {
  double tolerance = 1e-8;  ///< of the residual
  int iterations = 1000;    ///< a rope that uncoils needs hundreds, a bent bar less than ten
};

/// One shape on the way; iteration 0 is the start.
struct StaticIterate {
  int iteration;
  const VectorXd& q;  ///< [m]
  double residual;    ///< sum of the unbalanced forces over the sum of the load
  double length;      ///< part of the Newton step that the line search took, 0 for the start
};

struct StaticReport {
  StaticStatus status = StaticStatus::stuck;
  int iterations = 0;
  double residual = 0;  ///< at the end, relative to `load`
  double load = 0;      ///< sum of the forces on the degrees of freedom that the body must balance [N]
  bool stable = false;  ///< whether the shape is a minimum of the energy, not a pencil on its tip
  int factorizations = 0, projections = 0, shifts = 0;
};

/// Improves q, the guess, to the shape at rest at time t [s]. `unloaded` is the shape without internal forces: the
/// force there is the load that residuals are compared with (or, where there is none, the force at the guess).
/// on_iterate may be empty; it returns whether to go on.
StaticReport solve_static(const System& system, double t, const VectorXd& unloaded, const StaticLimits& limits,
                          const std::function<bool(const StaticIterate&)>& on_iterate, VectorXd& q);

}  // namespace brio

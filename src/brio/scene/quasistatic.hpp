#pragma once
// The rest shape of a scene: its supports, attachments, obstacles and loads as they are at one moment, and the body
// where all forces balance. Loads that depend on velocity see a body at rest.

#include "brio/optimize/static_solve.hpp"
#include "brio/scene/simulation.hpp"

namespace brio {

/// One iterate; only valid during the call.
struct QuasistaticIterate {
  int iteration;
  double residual;  ///< unbalanced force over load
  double length;    ///< of the step that led here, relative to Newton's
  Potentials potentials;
  const MatrixX3d& x;  ///< [m]
};

struct QuasistaticResult {
  StaticReport solve;
  Potentials potentials;  ///< at the end
  std::string message;    ///< when not converged, or not stable: what happened and what to try
  double wall_s = 0;
};

/// "converged", "not-converged" or "interrupted".
std::string to_string(StaticStatus status);

/// Leaves the shape in simulation.state, at rest. Throws Error for a body that nothing holds against its load. The
/// listener returns whether to go on.
QuasistaticResult solve_quasistatic(Simulation& simulation, double t, const StaticLimits& limits,
                                    const std::function<bool(const QuasistaticIterate&)>& on_iterate);

}  // namespace brio

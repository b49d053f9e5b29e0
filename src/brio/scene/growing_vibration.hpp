#pragma once
// Methods that make energy of a fast vibration fail by the fastest one of a mesh, however slowly the body moves.

#include "brio/scene/simulation.hpp"

#include <optional>
#include <string>

namespace brio {

struct GrowingVibration {
  double frequency = 0;                ///< of the fastest one [Hz]
  std::optional<double> longest_step;  ///< that it does not grow with [s]; nothing where it always does

  /// "take steps below 0.001 s, or an implicit method"
  std::string remedy() const;
};

/// Nothing where the integrator at its step lets no vibration grow about these positions, or nobody knows.
std::optional<GrowingVibration> growing_vibration(const Simulation& simulation, double t, const VectorXd& q);

}  // namespace brio

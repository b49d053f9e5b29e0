#pragma once
// Cuts the body of a simulation while it moves: new mesh, new system, fresh integrator, and the state carried over.

#include "brio/scene/simulation.hpp"

namespace brio {

/// A cut is due at the end of a step that misses its time by less than this part of a step: sums of h are rounded.
constexpr double kCutSlack = 1e-6;

/// What a cut did.
struct CutReport {
  std::string path;      ///< in the scene file
  double time = 0;       ///< when it was made [s]
  bool changed = false;  ///< whether it met the body at all
  int pieces_before = 0, pieces = 0;
  int subdivided = 0;    ///< tetrahedra
  int new_vertices = 0;  ///< copies included
  int new_tets = 0;
  double energy_change = 0;  ///< booked as injected or dissipated [J]
  double ms = 0;             ///< taken by the cut, the step that follows not counted

  /// One line for people.
  std::string text() const;
};

/// Performs the cut of that number. Positions and velocities go on linearly along cut edges, and each old piece of the
/// body gets a rigid motion on top that restores its linear and angular momentum. Vertices keep their numbers; new
/// ones are in the sets that all the vertices they come from are in. Integrators lose their memory, except for what
/// follows a cut by its own description.
CutReport perform_cut(Simulation& simulation, size_t number);

}  // namespace brio

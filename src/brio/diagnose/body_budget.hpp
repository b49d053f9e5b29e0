#pragma once
// Energy and momentum of each body of a world.

#include "brio/diagnose/momentum.hpp"
#include "brio/system/nodal_system.hpp"

#include <vector>

namespace brio {

struct BodyBudget {
  double kinetic = 0;          ///< of its free vertices [J]
  Potentials potentials;       ///< of the energies that are its own, and not between bodies [J]
  Momentum momentum;           ///< of all its vertices, about the origin
  Vec3 center = Vec3::Zero();  ///< of mass [m]

  double total() const { return kinetic + potentials.total(); }  ///< [J]
};

/// One for each body. `body_of_vertex` says whose each vertex is; x and u are positions and velocities of all vertices.
std::vector<BodyBudget> body_budgets(const NodalSystem& system, const State& state,
                                     const std::vector<int>& body_of_vertex, const MatrixX3d& x, const MatrixX3d& u);

}  // namespace brio

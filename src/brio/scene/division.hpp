#pragma once
// The elements of a scene's bodies divided among the ranks that compute it together (core/ranks.hpp). A rank has every
// element at one of its own vertices, so that forces and rows of the stiffness there are whole without any exchange;
// of those that several ranks have, one counts the energy.

#include "brio/scene/body.hpp"
#include "brio/scene/world.hpp"
#include "brio/system/nodal_system.hpp"

namespace brio {

/// Empty where there is one rank. Throws Error where ranks would have nothing to do.
Division divide(const std::vector<Body>& bodies, const World& world);

/// Adds what strains a body from inside: all of it, or this rank's part. `elastic` is told the energies of tetrahedra
/// that count here.
void add_elastic(const Body& body, int number, const Division& division, NodalParts& parts,
                 std::vector<const SolidEnergy*>& elastic);

}  // namespace brio

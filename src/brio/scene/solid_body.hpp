#pragma once
// The materials of a body of tetrahedra: which law each of them has, its fibers and muscles, and the masses.

#include "brio/scene/body.hpp"

namespace brio {

/// Fills in what follows from body.mesh: surface, masses, laws, contact. A contact stiffness that the body has already
/// stays. Throws Error, naming the place in the scene, for a region without a material and for fibers without
/// direction.
void make_solid(const BodySpec& spec, Body& body);

}  // namespace brio

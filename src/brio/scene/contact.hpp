#pragma once
// What the "contact" of a scene makes of its bodies: surfaces that touch each other, or a message why they cannot.

#include "brio/collide/collision_surface.hpp"
#include "brio/scene/simulation.hpp"
#include "brio/scene/world.hpp"

namespace brio {

/// Null where the scene has no "contact". Throws Error, naming the key, for sizes that do not fit the bodies.
std::shared_ptr<const CollisionSurface> make_collision_surface(const Scene& scene, const Simulation& simulation,
                                                               const World& world);

/// Throws Error, naming the places, where bodies that may touch pass through each other, touch, or are inside each
/// other at the start.
void refuse_intersections(const Simulation& simulation);

}  // namespace brio

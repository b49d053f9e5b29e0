#pragma once
// What the "contact" of a scene makes of its bodies: surfaces that touch each other, or a message why they cannot.

#include "brio/energy/surface_contact_energy.hpp"
#include "brio/scene/simulation.hpp"
#include "brio/scene/world.hpp"

namespace brio {

/// Of all bodies and of the obstacles that are surfaces. Null where nothing of the scene touches so. Throws Error, naming
/// the key, for sizes that do not fit the bodies.
std::unique_ptr<SurfaceContactEnergy> make_surface_contact(const Scene& scene, const Simulation& simulation,
                                                           const World& world);

/// What the numbers of ContactForces stand for: names of bodies, and places of obstacles in the scene file.
std::vector<std::string> names_of_touching(const Simulation& simulation);

/// Refuses them, or makes a note of them where the scene wants no guarantee.
void look_for_intersections(Simulation& simulation);

/// Throws Error, naming the places, where bodies that may touch pass through each other, touch, or are inside each
/// other at the start.
void refuse_intersections(const Simulation& simulation);

}  // namespace brio

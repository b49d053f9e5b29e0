#pragma once
// Obstacles for methods that know none: the method feels, during its step, the forces with which obstacles push at the
// step's beginning; after it each vertex is put right by the difference to those at its end. At rest there is none.

#include "brio/integrate/integrator.hpp"

namespace brio {

/// What answers the difference: each vertex with its mass alone, as is right where steps are short for every vibration;
/// or the body with its stiffness, by linearly implicit Euler.
enum class ContactAnswer { mass, stiffness };

/// `theta`: how much of a change of velocity, over the whole step, a position gets: 1 as in both Euler methods, 1/2 for
/// methods of second order. `instead` takes the steps in which a vertex comes in or slides, and those in which
/// obstacles would make energy from nothing, as they may where a step is long for a vibration; it meets obstacles
/// itself. Null: such steps are taken as they are.
std::unique_ptr<Integrator> with_contact_after(std::unique_ptr<Integrator> method, ContactAnswer answer, double theta,
                                               std::unique_ptr<Integrator> instead = nullptr);

}  // namespace brio

#pragma once
// Obstacles for methods that know none: the method feels, during its step, the forces with which obstacles push at the
// step's beginning; after it each vertex is put right by the difference to those at its end, with its own mass alone.
// At rest there is no difference. docs/contact.md says what that costs a stiff body.

#include "brio/integrate/integrator.hpp"

namespace brio {

/// `theta`: how much of a change of velocity, over the whole step, a position gets: 1 as symplectic Euler does, 1/2 for
/// methods of second order.
std::unique_ptr<Integrator> with_contact_after(std::unique_ptr<Integrator> method, double theta);

}  // namespace brio

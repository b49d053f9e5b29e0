#pragma once
// The forces of what touches, vertex by vertex and between each two, for tables and pictures.

#include "brio/integrate/contact_forces.hpp"
#include "brio/integrate/parts/contact_solve.hpp"

namespace brio {

/// Overwrites the forces with those at the end that was found last.
void measure_contacts(const ContactSolve& solve, const ContactSystem& contacts, ContactForces& forces);

}  // namespace brio

#pragma once
// Volume, parts and genus of a solid, counted on a lattice that is finer than the mesh: what the mesh is compared with.

#include "brio/mesh/stuffing/stuffing_lattice.hpp"

namespace brio {

/// By the signs and values at the points of a body-centered cubic lattice of that size [m]. Parts thinner than a cell
/// may be missed, or fall apart.
ShapeFacts count_on_lattice(const SignedDistance& body, double size);

}  // namespace brio

#pragma once
// Parts of a shape that a mesh of it does not have at all, since they are thinner than the lattice that it was cut
// from.

#include "brio/mesh/solids/signed_distance.hpp"

#include <vector>

namespace brio {

/// Points inside of the body that are farther than two cells of that size from every vertex [m], one for each region of
/// two cells. Limbs thinner than a 500th of a cell may stay unseen.
std::vector<Vec3> missing_parts(const SignedDistance& body, const MatrixX3d& vertices, double size);

}  // namespace brio

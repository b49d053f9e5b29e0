#pragma once
// How each point of a body has turned between two shapes: that of the deformation which fits its neighbors best
// (those that the pattern couples it with; Mueller et al. 2004).

#include "brio/linalg/block_matrix.hpp"

#include <vector>

namespace brio {

/// rotations[i] turns the surroundings of point i from `before` to `after`, both stacked. A point whose neighbors lie
/// in a line or that has none gets one of the rotations that fit.
void find_rotations(const BlockPattern& pattern, const VectorXd& before, const VectorXd& after,
                    std::vector<Mat3>& rotations);

}  // namespace brio

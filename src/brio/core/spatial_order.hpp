#pragma once
// An order of points in which neighbours in space are neighbours in the list: what is worked on together then lies
// together in memory, however the mesh was numbered.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

/// Indices of the points along a Z-order (Morton) curve through their bounding box.
std::vector<int> spatial_order(const MatrixX3d& points);

}  // namespace brio

#pragma once
// An order of points in which neighbors in space are neighbors in the list: data used
// together is then close together in memory, however the mesh was numbered.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

/// Indices of the points along a Z-order (Morton) curve through their bounding box.
std::vector<int> spatial_order(const MatrixX3d& points);

}  // namespace brio

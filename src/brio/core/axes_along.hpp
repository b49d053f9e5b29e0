#pragma once
// Axes along a direction: the shortest rotation that takes z there.

#include "brio/core/types.hpp"

namespace brio {

/// A rotation whose third column is the given direction, which need not have length 1.
Mat3 axes_along(const Vec3& z);

}  // namespace brio

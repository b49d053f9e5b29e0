#pragma once
// A chain of points joined by springs.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

/// segments + 1 vertices from the origin along `direction`; structural springs join neighbors, bend springs every
/// second vertex.
SpringNet make_spring_rope(double length, int segments, const Vec3& direction);

SpringGeneratorEntry spring_rope_generator();

}  // namespace brio

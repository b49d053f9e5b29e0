#pragma once
// A solid cylinder: a disc of triangle rings swept along its axis.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

/// The cylinder around `axis` (0, 1, 2 for x, y, z) from 0 to `height`, with `resolution` elements over the radius.
TetMesh make_cylinder(double radius, double height, int axis, int resolution);

GeneratorEntry cylinder_generator();

}  // namespace brio

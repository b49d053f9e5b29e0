#pragma once
// A sheet of points joined by springs.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

/// nx x ny vertices from the origin along the axes `u` and `v` (0, 1, 2 for x, y, z). Structural springs join
/// neighbors along the rows and columns, shear springs along both diagonals, bend springs every second vertex.
/// Triangles face along u cross v.
SpringNet make_cloth(double width, double length, int nx, int ny, int u, int v);

SpringGeneratorEntry cloth_generator();

}  // namespace brio

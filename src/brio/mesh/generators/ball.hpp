#pragma once
// A solid ball with a core and a shell.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

/// A ball around the origin, `resolution` elements over the radius. Region 1 is the outermost `shell` meters, region 0
/// the core; shell = 0 makes a ball without a shell. The sphere between the two consists of element faces.
TetMesh make_ball(double radius, double shell, int resolution);

GeneratorEntry ball_generator();

}  // namespace brio

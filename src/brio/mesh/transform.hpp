#pragma once
// Moving a mesh before the simulation starts; fibers turn with the body.

#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"

namespace brio {

/// Multiplies the coordinates; every factor must be above zero, as a mirrored body would be inside out.
void scale(TetMesh& mesh, const Vec3& factors);
void scale(SpringNet& net, const Vec3& factors);

/// Turns around an axis through the origin, counterclockwise when the axis points to the viewer [degrees].
void rotate(TetMesh& mesh, const Vec3& axis, double degrees);
void rotate(SpringNet& net, const Vec3& axis, double degrees);

/// Shifts by `by` [m].
void translate(TetMesh& mesh, const Vec3& by);
void translate(SpringNet& net, const Vec3& by);

}  // namespace brio

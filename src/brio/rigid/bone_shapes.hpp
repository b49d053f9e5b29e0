#pragma once
// Shapes of rigid bodies: their volume, center and inertia in closed form, and a surface of triangles for pictures and
// for contact.

#include "brio/core/options.hpp"

#include <functional>

namespace brio {

/// Mass, center and inertia of a rigid body.
struct MassProperties {
  double mass = 0;              ///< [kg]
  Vec3 center = Vec3::Zero();   ///< of mass [m]
  Mat3 inertia = Mat3::Zero();  ///< about the center [kg m^2]
};

struct BoneShape {
  MassProperties solid;  ///< with a density of 1 kg/m^3: its mass is the volume
  MatrixX3d X;           ///< points of the surface [m]
  MatrixX3i triangles;   ///< of the surface, seen from outside counterclockwise
};

struct BoneShapeEntry : Entry {
  /// Throws Error for a shape without volume.
  std::function<BoneShape(const Options&)> make;
};

/// box, sphere, capsule, cylinder.
const std::vector<BoneShapeEntry>& bone_shapes();

}  // namespace brio

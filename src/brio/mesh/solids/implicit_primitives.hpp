#pragma once
// Simple solids by their exact signed distances. Lengths in meters.

#include "brio/mesh/solids/signed_distance.hpp"

#include <vector>

namespace brio {

SolidPointer make_sphere(const Vec3& center, double radius);
SolidPointer make_ellipsoid(const Vec3& center, const Vec3& radii);
SolidPointer make_cuboid(const Vec3& center, const Vec3& size);
/// Everything within a radius of the line from a to b; the radius may change from one end to the other.
SolidPointer make_capsule(const Vec3& a, const Vec3& b, double radius_a, double radius_b);
/// With flat ends; a radius of zero makes a tip.
SolidPointer make_cone(const Vec3& a, const Vec3& b, double radius_a, double radius_b);
SolidPointer make_torus(const Vec3& center, const Vec3& axis, double major_radius, double minor_radius);
/// A strip of a rectangular section around the z axis, turned about its center line by `half_turns` half turns on the
/// way round: one makes a Moebius band. The value is a bound, not a distance.
SolidPointer make_band(double radius, double width, double thickness, int half_turns);

}  // namespace brio

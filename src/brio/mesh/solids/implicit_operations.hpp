#pragma once
// Solids made of other solids.

#include "brio/mesh/solids/signed_distance.hpp"

#include <vector>

namespace brio {

/// What belongs to any of the parts. Where two surfaces come nearer than `blend`, the corner between them is filled.
SolidPointer make_union(std::vector<SolidPointer> parts, double blend = 0);
/// What belongs to all; edges are rounded off by `blend`.
SolidPointer make_intersection(std::vector<SolidPointer> parts, double blend = 0);
/// The body without the parts that are taken away.
SolidPointer make_difference(SolidPointer body, std::vector<SolidPointer> taken, double blend = 0);
/// Grown by a layer of that thickness, or shrunk for a negative one.
SolidPointer make_offset(SolidPointer body, double by);

/// x -> scale * rotation * x + shift.
struct Similarity {
  double scale = 1;
  Mat3 rotation = Mat3::Identity();
  Vec3 shift = Vec3::Zero();  ///< [m]
};
SolidPointer make_transformed(SolidPointer body, const Similarity& by);
/// The body and its image in the plane through the origin across that axis.
SolidPointer make_mirrored(SolidPointer body, int axis);

/// Turned about an axis through the origin (0, 1, 2 for x, y, z) by an angle that grows along it [rad/m].
SolidPointer make_twisted(SolidPointer body, int axis, double rate);
/// The x axis bent to a circle of that radius around (0, radius), towards y [m]. Throws Error for a body that reaches
/// the center or more than once around.
SolidPointer make_bent(SolidPointer body, double radius);

}  // namespace brio

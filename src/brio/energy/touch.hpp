#pragma once
// A vertex at an obstacle during one step: the obstacle's surface there as a plane, and how it pushes and holds.

#include "brio/core/types.hpp"

namespace brio {

struct Touch {
  int point;         ///< a vertex number from an Energy; the index of three degrees of freedom from a System
  int place;         ///< number of the pair of vertex and obstacle
  Vec3 normal;       ///< out of the obstacle
  double gap;        ///< of the position at the beginning of the step, from the plane where it is at the end [m]
  double before;     ///< the signed distance at the beginning of the step, where it is negative; 0 elsewhere [m]
  double stiffness;  ///< along the normal [N/m]
  double lateral;    ///< that of McAdams' tangential share, without a force [N/m]
  double friction;   ///< Coulomb's coefficient
  Vec3 velocity;     ///< of the obstacle there [m/s]
  Vec3 carried;      ///< how far the obstacle moves there during the step [m]
  Mat3 axes;         ///< of the obstacle at the end of the step
  // The spring by which friction holds: see integrate/parts/contact_set.hpp.
  Vec3 stretch = Vec3::Zero();  ///< of a vertex that does not move during the step [m]
  double grip = 0;              ///< its stiffness; where it slides, across the way that it slides [N/m]
  Vec3 slide = Vec3::Zero();    ///< where it slides, which way; zero where it holds
  double drag = 0;              ///< against the slide [N]

  /// Along the normal at the beginning of the step [N].
  double force() const { return -stiffness * before; }
  Vec3 tangential(const Vec3& x) const { return x - normal.dot(x) * normal; }
};

/// With what force the friction of an obstacle holds a vertex.
struct ObstacleGrip {
  int obstacle;  ///< its number among those that are no surfaces
  int vertex;
  Vec3 force;  ///< on the vertex [N]
};

}  // namespace brio

#pragma once
// Where a vertex meets an obstacle on its way through one step, so that a thin obstacle is not jumped over.

#include "brio/energy/obstacle.hpp"

#include <optional>

namespace brio {

/// A plane in an obstacle's own coordinates.
struct TouchPlane {
  Vec3 point, normal;  ///< [m]; out of the obstacle
  double distance(const Vec3& x) const { return normal.dot(x - point); }
};

/// The plane that stands for the surface of a shape in a step from `begin` to `end`, in the shape's own coordinates:
/// the one nearest to the end where that is inside, otherwise the one nearest to the beginning where that is inside,
/// otherwise where the path enters; nothing where the path stays outside. A path that comes in by another side than
/// that nearest to its end, as through a plate, keeps the side by which it came.
std::optional<TouchPlane> plane_met(const ObstacleShape& shape, const Vec3& begin, bool begins_inside, const Vec3& end);

}  // namespace brio

#include "brio/energy/obstacle_path.hpp"

#include <algorithm>

namespace brio {
namespace {

TouchPlane nearest(const ObstacleShape& shape, const Vec3& x) {
  const Distance d = shape.distance(x);
  return {x - d.phi * d.normal, d.normal};
}

/// Steps along the path, each as long as the distance: none of them can pass the surface.
std::optional<TouchPlane> entry(const ObstacleShape& shape, const Vec3& begin, const Vec3& end) {
  constexpr double kShortest = 1e-3;  // of the path: what is thinner, or touched so slightly, is not seen
  const Vec3 way = end - begin;
  const double length = way.norm();
  if (!(length > 0)) return std::nullopt;
  for (double gone = 0; gone < length;) {
    const Vec3 x = begin + gone / length * way;
    if (shape.contains(x)) return nearest(shape, x);
    gone += std::max(shape.distance(x).phi, kShortest * length);
  }
  return std::nullopt;
}

}  // namespace

std::optional<TouchPlane> plane_met(const ObstacleShape& shape, const Vec3& begin, bool begins_inside,
                                    const Vec3& end) {
  if (!shape.contains(end)) return begins_inside ? nearest(shape, begin) : entry(shape, begin, end);
  const TouchPlane at_end = nearest(shape, end);
  if (begins_inside) return at_end;
  const std::optional<TouchPlane> entered = entry(shape, begin, end);
  constexpr double kSameSide = 0.5;  // cosine between the two normals
  return entered && entered->normal.dot(at_end.normal) < kSameSide ? entered : at_end;
}

}  // namespace brio

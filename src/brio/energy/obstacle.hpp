#pragma once
// Rigid shapes that bodies collide with, as signed distances: negative inside.

#include "brio/core/options.hpp"
#include "brio/energy/motion.hpp"

namespace brio {

/// Signed distance at a point with its first and second derivatives.
struct Distance {
  double phi;  ///< [m]
  Vec3 normal;
  Mat3 curvature;  ///< second derivative of phi [1/m]
};

class ObstacleShape {
 public:
  virtual ~ObstacleShape() = default;
  /// Whether x is deep enough to matter (phi < 0), in the shape's own coordinates.
  virtual bool contains(const Vec3& x) const = 0;
  virtual Distance distance(const Vec3& x) const = 0;
};

struct ObstacleEntry : Entry {
  std::function<std::unique_ptr<ObstacleShape>(const Options&, const std::string& where)> make;
};

/// half-space, sphere, torus, box.
const std::vector<ObstacleEntry>& obstacle_shapes();

}  // namespace brio

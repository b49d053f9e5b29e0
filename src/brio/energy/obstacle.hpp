#pragma once
// Rigid shapes that bodies collide with, as signed distances: negative inside.

#include "brio/core/table.hpp"
#include "brio/energy/motion.hpp"
#include "brio/mesh/triangle_surface.hpp"

namespace brio {

/// Signed distance at a point with its first and second derivatives.
struct Distance {
  double phi;  ///< [m]
  Vec3 normal;
  Mat3 curvature;  ///< second derivative of phi [1/m]
};

/// How an obstacle is drawn: its kind, its sizes, and its place in the shape's own coordinates.
struct ObstacleDrawing {
  enum class Kind {
    half_space,  ///< solid where z < 0
    sphere,      ///< size[0]: radius
    torus,       ///< about the z axis; size[0]: radius of the center line, size[1]: radius of the tube
    box,         ///< size: half the edge lengths
    mesh         ///< a surface of triangles
  };
  Kind kind = Kind::half_space;
  Vec3 size = Vec3::Zero();      ///< [m]
  Mat3 axes = Mat3::Identity();  ///< columns: the body's own axes
  Vec3 center = Vec3::Zero();    ///< [m]
  std::shared_ptr<const TriangleSurface> surface = {};  ///< of a mesh
};

class ObstacleShape {
 public:
  virtual ~ObstacleShape() = default;
  /// Whether x is inside, phi(x) < 0; x is in the shape's own coordinates [m].
  virtual bool contains(const Vec3& x) const = 0;
  /// The signed distance. Outside, no more than it: what moves fast is looked for along its path in steps of it.
  virtual Distance distance(const Vec3& x) const = 0;
  virtual ObstacleDrawing drawing() const = 0;
};

struct ObstacleEntry : Entry {
  /// `where` is the place in the scene file, for messages.
  std::function<std::unique_ptr<ObstacleShape>(const Options&, const std::string& where)> make;
};

/// half-space, sphere, torus, box.
const std::vector<ObstacleEntry>& obstacle_shapes();
Table<ObstacleEntry>& obstacle_table();  ///< the same, to add rows to

}  // namespace brio

#pragma once
// Solids given by a signed distance function, negative inside. The mesher fills them with tetrahedra.

#include "brio/core/types.hpp"
#include "brio/mesh/loaded_mesh.hpp"

#include <Eigen/Geometry>

#include <memory>
#include <optional>

namespace brio {

using Box = Eigen::AlignedBox3d;

class SignedDistance {
 public:
  virtual ~SignedDistance() = default;
  /// Distance from the surface, negative inside [m]. May be nearer to zero than the true distance but never farther,
  /// so that a ball of that radius around x holds no piece of the surface. Safe to call from several threads.
  virtual double value(const Vec3& x) const = 0;
  /// Contains the inside; value(x) is never below the distance from x to the box [m].
  virtual Box bounds() const = 0;
  /// Volume, parts and genus, where the solid knows them.
  virtual std::optional<ShapeFacts> facts() const { return {}; }
  /// How many simple shapes are looked at for one value.
  virtual double cost() const { return 1; }
};

using SolidPointer = std::shared_ptr<const SignedDistance>;

}  // namespace brio

#pragma once
// The bones of all bodies of a scene as one skeleton, with their motors and the pose and speed they begin with.

#include "brio/rigid/bone_points.hpp"
#include "brio/scene/body.hpp"
#include "brio/system/load.hpp"

#include <optional>

namespace brio {

struct SkeletonBody {
  std::shared_ptr<const BonePoints> points;
  std::vector<int> owner;  ///< of each bone of the skeleton, the body that it belongs to
  std::vector<std::unique_ptr<Load>> motors;
  MatrixX3d x, u;  ///< of all the points, those of tissue too, at the beginning [m, m/s]
};

/// The bones' vertices come after those of all meshes and nets, parts of which bones carry. Nothing where no body has
/// bones. Throws Error naming the bone.
std::optional<SkeletonBody> make_bones(const Scene& scene, const std::vector<Body>& bodies);

}  // namespace brio

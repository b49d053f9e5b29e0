#pragma once
// The bones that a scene describes, with their motors and the pose and speed they begin with.

#include "brio/rigid/bone_points.hpp"
#include "brio/scene/scene.hpp"
#include "brio/system/load.hpp"

namespace brio {

struct BoneBody {
  std::shared_ptr<const BonePoints> points;
  std::vector<std::unique_ptr<Load>> motors;
  MatrixX3d x, u;  ///< of the points at the beginning [m, m/s]
};

/// `first` is the number of the bones' first vertex. Throws Error naming the bone.
BoneBody make_bones(const Scene& scene, int first);

}  // namespace brio

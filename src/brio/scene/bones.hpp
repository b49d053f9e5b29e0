#pragma once
// The bones that a scene describes, with their motors and the pose and speed they begin with.

#include "brio/rigid/bone_points.hpp"
#include "brio/scene/scene.hpp"
#include "brio/scene/vertex_sets.hpp"
#include "brio/system/load.hpp"

namespace brio {

struct BoneBody {
  std::shared_ptr<const BonePoints> points;
  std::vector<std::unique_ptr<Load>> motors;
  MatrixX3d x, u;  ///< of all the points, those of tissue too, at the beginning [m, m/s]
};

/// The bones' vertices come after those of the tissue, X with their masses, parts of which bones carry. Throws Error
/// naming the bone.
BoneBody make_bones(const Scene& scene, const VertexSets& sets, const MatrixX3d& X, const VectorXd& mass);

}  // namespace brio

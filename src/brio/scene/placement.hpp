#pragma once
// Where a body is in the world: points, directions, meshes and rigid bodies taken there by the transform of its scene.

#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"
#include "brio/rigid/skeleton.hpp"
#include "brio/scene/scene.hpp"

#include <optional>

namespace brio {

/// Scale, rotation and translation of a body; the identity where it has no transform.
class BodyPlacement {
 public:
  explicit BodyPlacement(const std::optional<Transform>& transform);

  bool moves() const { return moves_; }
  double scale() const { return scale_; }
  Vec3 point(const Vec3& own) const { return moves_ ? Vec3(scale_ * (R_ * own) + shift_) : own; }
  Vec3 own_point(const Vec3& placed) const {
    return moves_ ? Vec3(R_.transpose() * (placed - shift_) / scale_) : placed;
  }
  Vec3 direction(const Vec3& own) const { return moves_ ? Vec3(R_ * own) : own; }
  Mat3 tensor(const Mat3& own) const { return moves_ ? Mat3(R_ * own * R_.transpose()) : own; }

 private:
  bool moves_;
  double scale_ = 1;
  Mat3 R_ = Mat3::Identity();
  Vec3 shift_ = Vec3::Zero();
};

/// Scales, rotates and translates; nothing without a transform.
void put_in_place(TetMesh& mesh, const std::optional<Transform>& transform);
void put_in_place(SpringNet& net, const std::optional<Transform>& transform);

}  // namespace brio

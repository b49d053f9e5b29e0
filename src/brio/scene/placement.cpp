#include "brio/scene/placement.hpp"

#include "brio/mesh/transform.hpp"

#include <Eigen/Geometry>

#include <numbers>

namespace brio {
namespace {

template <class Mesh>
void place_mesh(Mesh& mesh, const std::optional<Transform>& transform) {
  if (!transform) return;
  scale(mesh, Vec3::Constant(transform->scale));
  rotate(mesh, transform->rotate_axis, transform->rotate_degrees);
  translate(mesh, transform->translate);
}

}  // namespace

BodyPlacement::BodyPlacement(const std::optional<Transform>& transform) : moves_(transform.has_value()) {
  if (!transform) return;
  scale_ = transform->scale;
  const double angle = transform->rotate_degrees * std::numbers::pi / 180;
  R_ = Eigen::AngleAxisd(angle, transform->rotate_axis.normalized()).toRotationMatrix();
  shift_ = transform->translate;
}

void put_in_place(TetMesh& mesh, const std::optional<Transform>& transform) { place_mesh(mesh, transform); }
void put_in_place(SpringNet& net, const std::optional<Transform>& transform) { place_mesh(net, transform); }

}  // namespace brio

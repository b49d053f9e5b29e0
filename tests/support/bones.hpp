#pragma once
// Skeletons with their points, a system of them and any integrator: all that a test of bones needs.

#include "brio/energy/joint_energy.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/integrate/methods/bone_integrator.hpp"

#include "support/integrators.hpp"

namespace brio::testing {

inline MassProperties box_mass(const Vec3& size, const Vec3& center, double density = 1000) {
  const BoneShapeEntry& row = bone_shapes()[0];
  MassProperties body =
      row.make(Options(row.options, {{"size", OptionValue(size)}, {"center", OptionValue(center)}}, "box")).solid;
  body.mass *= density;
  body.inertia *= density;
  return body;
}

inline Joint joint_of(JointKind kind, const Vec3& anchor, const Vec3& axis = Vec3::UnitZ()) {
  Joint joint;
  joint.kind = kind;
  joint.anchor = anchor;
  joint.axis = axis;
  return joint;
}

/// A tree with every kind of joint, none of whose axes is special.
inline std::vector<Bone> mixed_bones() {
  return {
      {"trunk", "", joint_of(JointKind::free, {0.1, 0.2, 0}), box_mass({0.3, 0.5, 0.2}, {0, 0, 0.1})},
      {"arm", "trunk", joint_of(JointKind::spherical, {0.2, 0.3, 0}), box_mass({0.4, 0.1, 0.12}, {0.4, 0.3, 0.05})},
      {"hand", "arm", joint_of(JointKind::revolute, {0.6, 0.3, 0}, {1, 2, -1}),
       box_mass({0.2, 0.1, 0.05}, {0.7, 0.3, 0})},
      {"tool", "hand", joint_of(JointKind::fixed, {0, 0, 0}), box_mass({0.05, 0.3, 0.05}, {0.8, 0.4, 0})},
      {"drawer", "trunk", joint_of(JointKind::prismatic, {-0.2, 0, 0}, {-1, 0.3, 0}),
       box_mass({0.2, 0.2, 0.1}, {-0.3, 0, 0})},
  };
}

struct BoneWorld {
  std::shared_ptr<const Skeleton> skeleton;
  std::shared_ptr<const BonePoints> points;
  std::unique_ptr<NodalSystem> system;

  explicit BoneWorld(std::vector<Bone> bones, const Vec3& gravity = {0, -9.81, 0},
                     std::vector<std::unique_ptr<Load>> (*loads)(std::shared_ptr<const BonePoints>) = nullptr)
      : skeleton(std::make_shared<Skeleton>(std::move(bones))),
        points(std::make_shared<BonePoints>(skeleton, std::vector<BoneSurface>(skeleton->bones()))) {
    NodalParts parts;
    parts.x0 = points->rest_positions();
    parts.vertex_mass = points->mass();
    parts.energies.push_back(std::make_unique<JointEnergy>(points));
    parts.energies.push_back(std::make_unique<GravityEnergy>(points->mass(), gravity));
    if (loads) parts.loads = loads(points);
    system = std::make_unique<NodalSystem>(std::move(parts));
  }

  /// The state with configuration q and velocities u.
  State state(const VectorXd& q, const VectorXd& u) const {
    const SkeletonPose pose = skeleton->pose(q);
    VectorXd x(3 * points->count()), v(x.size());
    points->put_positions(pose, x);
    points->put_velocities(pose, u, v);
    const auto free = [&](const VectorXd& f) {
      return system->free_part(Eigen::Map<const MatrixX3d>(f.data(), points->count(), 3));
    };
    return {0, free(x), free(v), {}};
  }
  VectorXd field(const VectorXd& free) const {
    MatrixX3d all;
    system->velocities(0, free, all);
    return all.reshaped<Eigen::RowMajor>();
  }
  VectorXd configuration(const State& s) const { return points->configuration(field(s.q)); }
  VectorXd velocity(const State& s) const { return points->velocity(skeleton->pose(configuration(s)), field(s.v)); }
  double energy(const State& s) const {
    return 0.5 * s.v.dot(system->mass().cwiseProduct(s.v)) + system->potentials(s.t, s.q).total();
  }
  BoneIntegrator integrator(const std::string& name, const std::map<std::string, OptionValue>& options = {}) const {
    return BoneIntegrator(points, tight_integrator(name, options));
  }
};

}  // namespace brio::testing

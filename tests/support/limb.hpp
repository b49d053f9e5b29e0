#pragma once
// Tissue between two bones.

#include "brio/diagnose/momentum.hpp"
#include "brio/energy/joint_energy.hpp"

#include "support/bodies.hpp"
#include "support/bones.hpp"

namespace brio::testing {

/// A bar of tissue from x = 0 to 0.4, each end of which a bone carries.
struct Limb {
  std::shared_ptr<const Skeleton> skeleton;
  std::shared_ptr<const BonePoints> points;
  std::unique_ptr<NodalSystem> system;

  explicit Limb(JointKind kind, const Vec3& gravity, double damping = 0) {
    Bar bar(1, false);
    const int n = bar.mesh.vertices();
    std::vector<BoneGrip> grips(2);
    for (int v = 0; v < n; ++v) {
      if (bar.mesh.X(v, 0) < 1e-9) grips[0].vertices.push_back(v);
      if (bar.mesh.X(v, 0) > 0.4 - 1e-9) grips[1].vertices.push_back(v);
    }
    std::vector<Bone> bones = {
        {"left", "", joint_of(kind, {-0.2, 0.3, 0.05}), box_mass({0.1, 0.3, 0.2}, {-0.06, 0.05, 0.05})},
        {"right", "", joint_of(kind, {0.6, 0.3, 0.05}), box_mass({0.1, 0.2, 0.2}, {0.46, 0.05, 0.05})}};
    for (int b : {0, 1}) {
      grips[b].bone = b;
      grips[b].X = bar.mesh.X(grips[b].vertices, Eigen::all);
      grips[b].mass = bar.parts.vertex_mass(grips[b].vertices);
      bones[b].body = with_points(bones[b].body, grips[b].X, grips[b].mass);
      bones[b].joint.damping = damping;
    }
    skeleton = std::make_shared<const Skeleton>(bones);
    points = std::make_shared<const BonePoints>(skeleton, std::vector<BoneSurface>(2), n, grips);
    NodalParts parts = std::move(bar.parts);
    parts.x0.conservativeResize(n + points->count(), 3);
    parts.x0.bottomRows(points->count()) = points->rest_positions();
    parts.vertex_mass.conservativeResize(n + points->count());
    parts.vertex_mass.tail(points->count()) = points->mass().head(points->count());
    parts.energies.push_back(std::make_unique<JointEnergy>(points));
    parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, gravity));
    system = std::make_unique<NodalSystem>(std::move(parts));
  }

  State moving(const VectorXd& u) const {
    State state{0, system->rest(), VectorXd::Zero(system->dofs()), {}};
    VectorXd v = VectorXd::Zero(system->dofs());
    points->put_velocities(skeleton->pose(skeleton->rest()), u, v);
    state.v = system->free_part(Eigen::Map<const MatrixX3d>(v.data(), system->vertices(), 3));
    return state;
  }
  Momentum momentum_of(const State& s) const {
    MatrixX3d x, v;
    system->positions(0, s.q, x);
    system->velocities(0, s.v, v);
    return momentum(system->vertex_mass(), x, v);
  }
};

}  // namespace brio::testing

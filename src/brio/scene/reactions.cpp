#include "brio/scene/reactions.hpp"

#include "brio/integrate/contact_forces.hpp"
#include "brio/system/contact_set.hpp"

#include <Eigen/Geometry>

namespace brio {

namespace {

/// What a surface does to the bodies is the opposite of what they do to its vertices.
Reaction of_surface(const ReactionSource& source, double t, const ContactForces& contact) {
  Reaction reaction;
  const Pose pose = source.motion->pose(t);
  for (size_t k = 0; k < source.vertices.size(); ++k) {
    const Vec3 f = -contact.vertex.row(source.vertices[k]);
    reaction.force += f;
    reaction.torque += pose.position(source.surface->X.row(static_cast<Index>(k)).transpose()).cross(f);
  }
  return reaction;
}

}  // namespace

std::vector<Reaction> Reactions::measure(const NodalSystem& system, const State& state, double h,
                                         const ContactForces* contact) const {
  MatrixX3d x, u;
  system.positions(state.t, state.q, x);
  system.velocities(state.t, state.v, u);
  const VectorXd at = x.reshaped<Eigen::RowMajor>(), moving = u.reshaped<Eigen::RowMajor>();
  const auto gradient_of = [&](const std::vector<const Energy*>& some) {
    VectorXd g = VectorXd::Zero(at.size());
    for (const Energy* energy : some) energy->evaluate(state.t, at, {.gradient = &g});
    return g;
  };
  const std::vector<ObstacleGrip> friction = contact ? contact->friction
                                              : system.contacts()
                                                  ? ContactSet::obstacle_grips(*system.contacts(), state)
                                                  : std::vector<ObstacleGrip>();
  VectorXd needed;  // force that the vertices of constraints need, but for their inertia
  std::vector<Reaction> reactions;
  for (const ReactionSource& source : sources) {
    Reaction& reaction = reactions.emplace_back();
    if (source.surface) {
      if (contact) reaction = of_surface(source, state.t, *contact);
      continue;
    }
    const auto add = [&](int v, const Vec3& f) {
      reaction.force += f;
      reaction.torque += Vec3(x.row(v)).cross(f);
    };
    if (!source.motion) {
      const VectorXd g = gradient_of(source.energies);
      for (int v : source.vertices) add(v, -g.segment<3>(3 * v));
      for (const ObstacleGrip& one : friction)
        if (one.obstacle == source.obstacle) add(one.vertex, one.force);
      continue;
    }
    if (needed.size() == 0) {
      needed = gradient_of(energies);
      VectorXd load = VectorXd::Zero(at.size());
      for (const Load* one : loads) one->add(state.t, at, moving, load);
      needed -= load;
    }
    const bool moves = source.motion->moves() && state.t > 0;
    const Pose now = source.motion->pose(state.t), before = source.motion->pose(state.t - (moves ? h : 0));
    for (int v : source.vertices) {
      const Vec3 rest = system.rest_positions().row(v);
      const Vec3 acceleration = moves ? Vec3((now.velocity(rest) - before.velocity(rest)) / h) : Vec3(Vec3::Zero());
      add(v, system.vertex_mass()[v] * acceleration + needed.segment<3>(3 * v));
    }
  }
  return reactions;
}

}  // namespace brio

#include "brio/scene/reactions.hpp"

#include <Eigen/Geometry>

namespace brio {

std::vector<Reaction> Reactions::measure(const NodalSystem& system, const State& state, double h) const {
  MatrixX3d x, u;
  system.positions(state.t, state.q, x);
  system.velocities(state.t, state.v, u);
  const VectorXd at = x.reshaped<Eigen::RowMajor>(), moving = u.reshaped<Eigen::RowMajor>();
  const auto gradient_of = [&](const std::vector<const Energy*>& some) {
    VectorXd g = VectorXd::Zero(at.size());
    for (const Energy* energy : some) energy->evaluate(state.t, at, {.gradient = &g});
    return g;
  };
  VectorXd needed;  // force that the vertices of constraints need, but for their inertia
  std::vector<Reaction> reactions;
  for (const ReactionSource& source : sources) {
    Reaction& reaction = reactions.emplace_back();
    const auto add = [&](int v, const Vec3& f) {
      reaction.force += f;
      reaction.torque += Vec3(x.row(v)).cross(f);
    };
    if (!source.motion) {
      const VectorXd g = gradient_of(source.energies);
      for (int v : source.vertices) add(v, -g.segment<3>(3 * v));
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

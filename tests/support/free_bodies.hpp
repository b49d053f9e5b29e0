#pragma once
// Bodies that nothing holds, thrown and spinning, and their momenta.

#include "brio/diagnose/momentum.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/rigid_motion.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio::testing {

/// A block without any symmetry but its planes, `cells` cells along the edges of 0.3, 0.2 and 0.1 m.
inline NodalParts block(double E, std::array<int, 3> cells = {3, 2, 1}, double rho = 1000) {
  const TetMesh mesh = make_box(Vec3(0.3, 0.2, 0.1), cells, 6);
  NodalParts parts;
  parts.x0 = mesh.X;
  parts.vertex_mass = testing::lumped_mass(mesh, rho);
  parts.energies.push_back(std::make_unique<ElasticEnergy>(
      mesh, std::vector<ElasticPart>{
                {law("stable-neo-hookean", {{"E", E}, {"nu", 0.4}}), testing::first_integers(mesh.tets())}}));
  return parts;
}

inline Points all_points(const NodalSystem& system) {
  Points points(system.dofs() / 3);
  std::iota(points.begin(), points.end(), 0);
  return points;
}

/// At rest but for a motion as a whole: velocity of the center and angular velocity about it.
inline State thrown(const NodalSystem& system, const Vec3& velocity, const Vec3& spin) {
  State state = at_rest(system);
  for (const Points& points : system.free_pieces()) {
    const Vec3 center = mean(points, system.mass(), state.q);
    for (int i : points) state.v.segment<3>(3 * i) = velocity + spin.cross(Vec3(state.q.segment<3>(3 * i) - center));
  }
  return state;
}

inline Vec3 linear_momentum(const NodalSystem& system, const State& state) {
  return sum(all_points(system), system.mass().cwiseProduct(state.v));
}

inline Vec3 angular_momentum(const NodalSystem& system, const State& state, const Vec3& about = Vec3::Zero()) {
  return moment(all_points(system), state.q, about, system.mass().cwiseProduct(state.v));
}

inline double kinetic(const NodalSystem& system, const State& state) {
  return 0.5 * state.v.dot(system.mass().cwiseProduct(state.v));
}

inline void run(Integrator& method, const NodalSystem& system, State& state, double h, int steps) {
  method.prepare(system);
  for (int i = 0; i < steps; ++i) ASSERT_EQ(method.step(state, h).status, StepStatus::ok) << "step " << i;
}

}  // namespace brio::testing

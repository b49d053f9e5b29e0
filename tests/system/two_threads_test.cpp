// A const System may be read by several threads at a time: each finds what it would find alone.

#include "brio/energy/muscle_energy.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include <thread>

namespace brio {
namespace {

struct Found {
  Potentials potentials;
  VectorXd gradient, load;
  MatrixX3d x;
  std::vector<Touch> touches;

  bool operator==(const Found& other) const {
    return potentials.elastic == other.potentials.elastic && potentials.gravity == other.potentials.gravity &&
           potentials.contact == other.potentials.contact && gradient == other.gradient && load == other.load &&
           x == other.x && touches.size() == other.touches.size();
  }
};

/// Everything that a system tells about one place.
Found look(const NodalSystem& system, double t, const VectorXd& q) {
  Found found;
  found.potentials = system.potentials_and_gradient(t, q, found.gradient);
  system.load(t, q, q, found.load);
  system.positions(t, q, found.x);
  system.contacts()->find_touches(t, q, t, q, found.touches);
  return found;
}

/// An elastic bar with a muscle, weight, a rough floor below and wind upon it.
NodalSystem bar_with_everything() {
  testing::Bar bar(3, true);
  bar.with_gravity();
  const std::vector<int> all = testing::first_integers(bar.mesh.tets());
  bar.mesh.fiber = MatrixX3d::Zero(bar.mesh.tets(), 3);
  bar.mesh.fiber.col(0).setOnes();
  bar.parts.energies.push_back(std::make_unique<MuscleEnergy>(
      bar.mesh, std::vector<MusclePart>{{all, 1e4, 0.5, TimeProfile({{0, 0}, {1, 1}}, "activation")}}));
  const ObstacleEntry& shape = find_row(obstacle_shapes(), "obstacle", "half-space");
  const int n = bar.mesh.vertices();
  bar.parts.energies.push_back(std::make_unique<ContactEnergy>(
      testing::first_integers(n), VectorXd::Constant(n, 1e-3), 1e6,
      shape.make(Options(shape.options, {{"point", Vec3(0, 0.02, 0)}, {"normal", Vec3(0, 1, 0)}}, "o"), "o"),
      stand_still(), 0.5));
  const LoadEntry& pull = find_row(loads(), "load", "uniform");
  bar.parts.loads.push_back(pull.make(Options(pull.options, {{"force", Vec3(1, 2, 3)}}, "l"),
                                      {testing::first_integers(n), bar.parts.vertex_mass, MatrixX3i(0, 3)}));
  return bar.system();
}

TEST(TwoThreads, read_one_system_as_if_alone) {
  constexpr int kThreads = 4, kPlaces = 5, kRounds = 20;
  const NodalSystem system = bar_with_everything();
  std::vector<VectorXd> q;
  std::vector<Found> alone;
  for (int i = 0; i < kPlaces; ++i) {
    q.push_back(system.free_part(testing::shaken(system.rest_positions(), 0.005, i + 1)));
    alone.push_back(look(system, 0.1 * i, q[i]));
  }
  ASSERT_FALSE(alone[0].touches.empty());
  ASSERT_FALSE(alone[0] == alone[1]) << "the places do not differ";
  std::vector<int> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k)
    threads.emplace_back([&, k] {
      for (int round = 0; round < kRounds; ++round) {
        const int i = (round + k) % kPlaces;
        if (!(look(system, 0.1 * i, q[i]) == alone[i])) ++wrong[k];
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kThreads; ++k) EXPECT_EQ(wrong[k], 0) << "thread " << k;
}

}  // namespace
}  // namespace brio

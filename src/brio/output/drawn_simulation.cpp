#include "brio/output/drawn_simulation.hpp"

namespace brio {

BodyTopology topology(const Simulation& simulation) {
  return {simulation.vertices(),  simulation.mesh.T, simulation.triangles,  simulation.net.springs,
          simulation.mesh.region, simulation.skin,   simulation.node_region};
}

std::vector<DrawnObstacle> drawn_obstacles(const Simulation& simulation) {
  std::vector<DrawnObstacle> drawn;
  for (const SceneObstacle& obstacle : simulation.obstacles)
    drawn.push_back({obstacle.drawing.kind, obstacle.drawing.size});
  return drawn;
}

std::vector<Placement> placements_at(const Simulation& simulation, double t) {
  std::vector<Placement> placed;
  for (const auto& [drawing, motion] : simulation.obstacles) {
    const Pose pose = motion->pose(t);
    placed.push_back({pose.position(drawing.center), Eigen::Quaterniond(Mat3(pose.R * drawing.axes))});
  }
  return placed;
}

Vec3 up_direction(const Scene& scene) {
  return scene.gravity.isZero() ? Vec3(Vec3::UnitY()) : Vec3(-scene.gravity.normalized());
}

}  // namespace brio

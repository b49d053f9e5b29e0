#include "brio/output/run_recorder.hpp"

namespace brio {
namespace {

std::vector<DrawnObstacle> drawn_obstacles(const Simulation& simulation) {
  std::vector<DrawnObstacle> drawn;
  for (const SceneObstacle& obstacle : simulation.obstacles)
    drawn.push_back({obstacle.drawing.kind, obstacle.drawing.size});
  return drawn;
}

std::vector<Placement> placements(const Simulation& simulation, double t) {
  std::vector<Placement> placed;
  for (const auto& [drawing, motion] : simulation.obstacles) {
    const Pose pose = motion->pose(t);
    placed.push_back({pose.position(drawing.centre), Eigen::Quaterniond(Mat3(pose.R * drawing.axes))});
  }
  return placed;
}

}  // namespace

BodyTopology topology(const Simulation& simulation) {
  return {simulation.vertices(), simulation.mesh.T, simulation.triangles, simulation.net.springs,
          simulation.mesh.region};
}

Vec3 up_direction(const Scene& scene) {
  return scene.gravity.isZero() ? Vec3(Vec3::UnitY()) : Vec3(-scene.gravity.normalized());
}

RunRecorder::RunRecorder(const Simulation& simulation, RecordingLimits limits)
    : recording_(topology(simulation), drawn_obstacles(simulation), limits) {}

void RunRecorder::on_step(const StepRecord& r) {
  series_.add({r.time, r.kinetic, r.potentials.elastic, r.potentials.gravity, r.potentials.contact, r.injected,
               r.dissipated, r.momentum.linear, r.momentum.angular});
}

void RunRecorder::on_frame(const Simulation& simulation, const RunFrame& run_frame,
                           const std::function<void(const Frame&)>& also) {
  const VectorXd strain = simulation.strain(run_frame.x);
  const std::vector<Placement> obstacles = placements(simulation, run_frame.time);
  const Frame frame{run_frame.time, run_frame.x, run_frame.u, strain, obstacles};
  if (also) also(frame);
  recording_.add(frame);
}

}  // namespace brio

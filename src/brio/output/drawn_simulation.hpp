#pragma once
// Describes a simulation to frame writers and recordings.

#include "brio/output/frames/frame.hpp"
#include "brio/scene/run.hpp"

namespace brio {

BodyTopology topology(const Simulation& simulation);
std::vector<DrawnObstacle> drawn_obstacles(const Simulation& simulation);
/// Where the obstacles are at time t [s].
std::vector<Placement> placements_at(const Simulation& simulation, double t);
/// What writers get of a run: the frame of a step with strain, stress and forces of contact.
class MadeFrame {
 public:
  MadeFrame(const Simulation& simulation, const RunFrame& run_frame);
  MadeFrame(const MadeFrame&) = delete;
  MadeFrame& operator=(const MadeFrame&) = delete;
  const Frame& frame() const { return frame_; }

 private:
  VectorXd strain_;
  std::vector<Placement> obstacles_;
  std::optional<BodyStress> stress_;
  MatrixX3d force_;
  Frame frame_;
};

/// Against gravity; y where there is none.
Vec3 up_direction(const Scene& scene);

}  // namespace brio

#pragma once
// Describes a simulation to frame writers and recordings.

#include "brio/output/frames/frame.hpp"
#include "brio/scene/simulation.hpp"

namespace brio {

BodyTopology topology(const Simulation& simulation);
std::vector<DrawnObstacle> drawn_obstacles(const Simulation& simulation);
/// Where the obstacles are at time t [s].
std::vector<Placement> placements_at(const Simulation& simulation, double t);
/// Against gravity; y where there is none.
Vec3 up_direction(const Scene& scene);

}  // namespace brio

#pragma once
// Who touches whom at the end of a step, and with which forces.

#include "brio/energy/touch.hpp"

#include <vector>

namespace brio {

struct ContactForces {
  /// Two that touch. Numbers are those of the bodies, then of the obstacles that are surfaces, then of all others.
  struct Pair {
    int first = 0, second = 0;
    int contacts = 0;           ///< between them
    double smallest_gap = 0;    ///< negative in an obstacle that is no surface [m]
    double normal = 0;          ///< sum over the contacts [N]
    double friction = 0;        ///< the same [N]
    Vec3 force = Vec3::Zero();  ///< on the first, of all contacts together [N]
  };
  std::vector<Pair> pairs;              ///< by their numbers
  MatrixX3d vertex;                     ///< on each vertex of the bodies, then of the obstacles that are surfaces [N]
  std::vector<ObstacleGrip> friction;  ///< of obstacles that are no surfaces
};

}  // namespace brio

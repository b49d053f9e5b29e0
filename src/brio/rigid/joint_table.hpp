#pragma once
// Joints as a scene describes them: kind, initial state and motor.

#include "brio/core/time_profile.hpp"
#include "brio/rigid/joint.hpp"

#include <functional>

namespace brio {

struct JointSetup {
  Joint joint;
  VectorXd start;        ///< how far from the rest pose it begins, per degree of freedom [rad or m]
  VectorXd speed;        ///< how fast it begins [rad/s or m/s]
  VectorXd torque;       ///< of a motor; of full strength [N m or N]
  TimeProfile strength;  ///< of the motor, over time
};

struct JointEntry : Entry {
  std::function<JointSetup(const Options&)> make;
};

/// fixed, revolute, prismatic, spherical, free.
const std::vector<JointEntry>& joints();

}  // namespace brio

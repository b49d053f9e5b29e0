#pragma once
// Rigid motions that a scene prescribes: of supports, of the targets of soft attachments, of obstacles.

#include "brio/core/table.hpp"

#include <Eigen/Geometry>

#include <functional>
#include <memory>

namespace brio {

/// Where a rigid frame is at one time, and how fast it moves. A point that was at x at time 0 is at R x + p.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();                 ///< [m]
  Vec3 linear_velocity = Vec3::Zero();   ///< dp/dt [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]

  Vec3 position(const Vec3& x) const;
  Vec3 velocity(const Vec3& x) const;
};

class Motion {
 public:
  virtual ~Motion() = default;
  virtual Pose pose(double t) const = 0;  ///< at time t [s]
  virtual bool moves() const = 0;         ///< whether the pose depends on time
};

struct MotionEntry : Entry {
  /// `where` is the place in the scene file, for messages.
  std::function<std::unique_ptr<Motion>(const Options&, const std::string& where)> make;
};

/// The motion of a frame at rest.
std::shared_ptr<const Motion> stand_still();

/// fixed, translate, oscillate, rotate, keyframes.
const std::vector<MotionEntry>& motions();
Table<MotionEntry>& motion_table();  ///< the same, to add rows to

}  // namespace brio

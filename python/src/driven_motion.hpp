#pragma once
// The motion of a support that somebody outside of brio steers: it moves at the velocity that was set last, between one
// step and the next.

#include "brio/core/archive.hpp"
#include "brio/energy/motion.hpp"

namespace brio::python {

class DrivenMotion : public Motion {
 public:
  static constexpr const char* kName = "driven";

  Pose pose(double t) const override {
    Pose pose;
    pose.p = course_.place + (t - course_.since) * course_.velocity;
    pose.linear_velocity = course_.velocity;
    return pose;
  }
  bool moves() const override { return true; }

  /// From time t on. The place does not jump.
  void set_velocity(double t, const Vec3& velocity) { course_ = {t, pose(t).p, velocity}; }

  struct Course {
    double since = 0;              ///< [s]
    Vec3 place = Vec3::Zero();     ///< at that time, relative to the start [m]
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
    void archive(Archive& archive) { archive(since, place, velocity); }
  };
  Course& course() { return course_; }

 private:
  Course course_;
};

}  // namespace brio::python

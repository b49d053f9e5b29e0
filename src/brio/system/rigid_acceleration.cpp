#include "brio/system/rigid_acceleration.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace brio {

void take_out_rigid_acceleration(const System& system, const VectorXd& q, VectorXd& force, VectorXd& rigid) {
  rigid.setZero(force.size());
  for (const std::vector<int>& piece : system.free_pieces()) {
    double mass = 0;
    Vec3 center = Vec3::Zero(), net = Vec3::Zero(), torque = Vec3::Zero();
    const auto mass_of = [&](int point) { return system.mass()[3 * point]; };
    for (int point : piece) {
      mass += mass_of(point);
      center += mass_of(point) * q.segment<3>(3 * point);
      net += force.segment<3>(3 * point);
    }
    center /= mass;
    Mat3 inertia = Mat3::Zero();
    for (int point : piece) {
      const Vec3 r = q.segment<3>(3 * point) - center;
      torque += r.cross(force.segment<3>(3 * point));
      inertia += mass_of(point) * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    // A piece that is all in a line has no inertia about it, and no torque either: the second term stands in for it.
    const Vec3 turning = (inertia + 1e-12 * inertia.trace() * Mat3::Identity()).inverse() * torque;
    for (int point : piece) {
      const Vec3 r = q.segment<3>(3 * point) - center;
      rigid.segment<3>(3 * point) = mass_of(point) * (net / mass + turning.cross(r));
      force.segment<3>(3 * point) -= rigid.segment<3>(3 * point);
    }
  }
}

}  // namespace brio

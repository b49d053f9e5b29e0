#include "brio/integrate/parts/rigid_motion.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace brio {

double total_mass(const Points& points, const VectorXd& mass) {
  double m = 0;
  for (int i : points) m += mass[3 * i];
  return m;
}

Vec3 mean(const Points& points, const VectorXd& mass, const VectorXd& x) {
  Vec3 weighted = Vec3::Zero();
  double m = 0;
  for (int i : points) {
    weighted += mass[3 * i] * x.segment<3>(3 * i);
    m += mass[3 * i];
  }
  return weighted / m;
}

Vec3 sum(const Points& points, const VectorXd& f) {
  Vec3 total = Vec3::Zero();
  for (int i : points) total += f.segment<3>(3 * i);
  return total;
}

Vec3 moment(const Points& points, const VectorXd& x, const Vec3& center, const VectorXd& f) {
  Vec3 total = Vec3::Zero();
  for (int i : points) total += (x.segment<3>(3 * i) - center).cross(f.segment<3>(3 * i));
  return total;
}

Mat3 inertia(const Points& points, const VectorXd& mass, const VectorXd& x, const Vec3& center) {
  Mat3 second = Mat3::Zero();
  for (int i : points) {
    const Vec3 y = x.segment<3>(3 * i) - center;
    second += mass[3 * i] * y * y.transpose();
  }
  return second.trace() * Mat3::Identity() - second;
}

Mat3 inverse_inertia(const Mat3& inertia) {
  // Of the largest: a body of 100 : 1 still spins about its own axis. Below that the smallest bend changes the inertia
  // about that axis so fast that the body is not a rigid one.
  constexpr double kSmallest = 1e-4;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  const Vec3& moments = eigen.eigenvalues();
  Vec3 inverse = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (moments[i] > kSmallest * moments[2]) inverse[i] = 1 / moments[i];
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

Eigen::Quaterniond turned(const Mat3& inertia0, const Mat3& inertia1, const Vec3& L0, const Vec3& L1, double h) {
  using Quaternion = Eigen::Quaterniond;
  constexpr double kAngle = 0.02;  // of one step of Runge-Kutta [rad]: the error stays below 1e-9 of the angle
  constexpr double kMostSteps = 100;
  const double angle = h * (inverse_inertia(inertia0) * L0).norm();
  Quaternion turn = Quaternion::Identity();
  if (!std::isfinite(angle)) return turn;  // the step reports what is wrong with the state
  const int steps = static_cast<int>(std::min(kMostSteps, std::ceil(angle / kAngle)));
  const auto rate = [&](double s, const Eigen::Vector4d& q) -> Eigen::Vector4d {
    const Quaternion now = Quaternion(q).normalized();
    const Vec3 L = now.conjugate() * (L0 + s * (L1 - L0));
    const Vec3 omega = now * Vec3(inverse_inertia(inertia0 + s * (inertia1 - inertia0)) * L);
    return 0.5 * h * (Quaternion(0, omega.x(), omega.y(), omega.z()) * Quaternion(q)).coeffs();
  };
  for (int i = 0; i < steps; ++i) {
    const double d = 1.0 / steps, s = i * d;
    const Eigen::Vector4d q = turn.coeffs(), k1 = rate(s, q), k2 = rate(s + d / 2, q + d / 2 * k1),
                          k3 = rate(s + d / 2, q + d / 2 * k2), k4 = rate(s + d, q + d * k3);
    turn.coeffs() = q + d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    turn.normalize();
  }
  return turn;
}

}  // namespace brio

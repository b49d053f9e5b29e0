#pragma once
// Rotations as exponentials of rotation vectors, and how fast they turn when the vector changes: with R(phi) =
// exp([phi]), the angular velocity is omega = dexp(phi) phi'. The series converge quickly for less than a turn.

#include "brio/core/types.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace brio {

/// [a] with [a] b = a x b.
inline Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

/// The unit quaternion of exp([phi]).
inline Eigen::Quaterniond exp_rotation(const Vec3& phi) {
  const double angle = phi.norm();
  const double half_sinc = angle < 1e-6 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  return {std::cos(angle / 2), half_sinc * phi[0], half_sinc * phi[1], half_sinc * phi[2]};
}

/// The shortest phi with exp([phi]) = r.
inline Vec3 log_rotation(const Eigen::Quaterniond& r) {
  const double s = r.vec().norm(), sign = r.w() < 0 ? -1 : 1;
  if (s < 1e-9) return 2 * sign * r.vec();
  return 2 * std::atan2(s, sign * r.w()) / s * sign * r.vec();
}

/// dexp = I + a [phi] + b [phi]^2 with a = (1 - cos x) / x^2, b = (x - sin x) / x^3, x = |phi|; da and db are their
/// derivatives by x, over x.
struct DexpCoefficients {
  double a = 0, b = 0, da = 0, db = 0;
  explicit DexpCoefficients(double x2) {
    double term = 0.5;  // (-1)^n x^(2n) / (2n + 2)!
    for (int n = 0; n < 20; ++n) {
      a += term;
      b += term / (2 * n + 3);
      const double next = -term / ((2 * n + 3) * (2 * n + 4));  // without the factor x^2, which da and db lack
      da += 2 * (n + 1) * next;
      db += 2 * (n + 1) * next / (2 * n + 5);
      term = next * x2;
    }
  }
};

inline Mat3 dexp(const Vec3& phi) {
  const DexpCoefficients k(phi.squaredNorm());
  const Mat3 W = cross_matrix(phi);
  return Mat3::Identity() + k.a * W + k.b * W * W;
}

/// (d/dt dexp(phi)) phi' for phi' = rate: what the angular acceleration has besides dexp(phi) phi''.
inline Vec3 dexp_rate(const Vec3& phi, const Vec3& rate) {
  const DexpCoefficients k(phi.squaredNorm());
  const Vec3 c = phi.cross(rate);
  const double s = phi.dot(rate);
  return k.da * s * c + k.db * s * phi.cross(c) + k.b * rate.cross(c);
}

}  // namespace brio

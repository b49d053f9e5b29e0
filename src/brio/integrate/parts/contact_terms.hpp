#pragma once
// The second derivative of contact: a 3x3 stiffness between the two sides of each contact, which couples points that no
// matrix of the bodies does.

#include "brio/core/types.hpp"

#include <array>
#include <vector>

namespace brio {

/// How points move with the coordinates of a system: point i with three of its own, from 3 i on, but for those that bones
/// carry, which all move with the last few.
struct PointMotion {
  int own = 0;       ///< points with coordinates of their own, which are the first ones
  MatrixXd carried;  ///< velocities of the others, three rows for each, by those of the last coordinates

  /// What the point does where the coordinates change by d.
  Vec3 of(int point, const VectorXd& d) const {
    if (point < own) return d.segment<3>(3 * point);
    return carried.middleRows<3>(3 * (point - own)) * d.tail(carried.cols());
  }
  /// Adds a force on the point to those on the coordinates.
  void add_force(int point, const Vec3& force, VectorXd& f) const {
    if (point < own)
      f.segment<3>(3 * point) += force;
    else
      f.tail(carried.cols()) += carried.middleRows<3>(3 * (point - own)).transpose() * force;
  }
  /// Velocity along the normal by an impulse along it, of a point that bones carry; the last coordinates have a mass of 1.
  double carried_mobility(int point, const Vec3& normal) const {
    return (carried.middleRows<3>(3 * (point - own)).transpose() * normal).squaredNorm();
  }
};

struct ContactTerm {
  std::array<int, 4> point;      ///< -1 where there are fewer, or where the vertex does not move freely
  std::array<double, 4> weight;  ///< in the way between the two sides
  Mat3 stiffness;
};

struct ContactTerms {
  PointMotion motion;
  std::vector<ContactTerm> list;

  /// y += C x
  void add_product(const VectorXd& x, VectorXd& y) const {
    for (const ContactTerm& term : list) {
      Vec3 apart = Vec3::Zero();
      for (int i = 0; i < 4; ++i)
        if (term.point[i] >= 0) apart += term.weight[i] * motion.of(term.point[i], x);
      const Vec3 force = term.stiffness * apart;
      for (int i = 0; i < 4; ++i)
        if (term.point[i] >= 0) motion.add_force(term.point[i], term.weight[i] * force, y);
    }
  }
};

}  // namespace brio

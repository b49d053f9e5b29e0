#pragma once
// The rigid part of the motion of a set of points: momentum, inertia, and the rotation of a free body.

#include "brio/core/types.hpp"

#include <Eigen/Geometry>

#include <vector>

namespace brio {

using Points = std::vector<int>;  ///< point i has the degrees of freedom 3i, 3i + 1, 3i + 2

double total_mass(const Points& points, const VectorXd& mass);
/// sum m x / sum m
Vec3 mean(const Points& points, const VectorXd& mass, const VectorXd& x);
Vec3 sum(const Points& points, const VectorXd& f);
/// sum (x - center) x f
Vec3 moment(const Points& points, const VectorXd& x, const Vec3& center, const VectorXd& f);
/// The tensor of inertia about the center.
Mat3 inertia(const Points& points, const VectorXd& mass, const VectorXd& x, const Vec3& center);
/// The pseudo-inverse of a tensor of inertia: a single point and points on a line cannot be turned about every axis.
Mat3 inverse_inertia(const Mat3& inertia);

/// How a body turns in the time h, with inertia and angular momentum that go linearly from their first value to their
/// last. Inertia is in the body's own axes, those at the beginning; angular momentum in fixed axes.
Eigen::Quaterniond turned(const Mat3& inertia0, const Mat3& inertia1, const Vec3& L0, const Vec3& L1, double h);

}  // namespace brio

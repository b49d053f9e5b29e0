#include "brio/scene/initial_state.hpp"

#include <Eigen/Geometry>

#include <numbers>
#include <random>

namespace brio {
namespace {

void stretch(MatrixX3d& x, const Vec3& factors) {
  const Eigen::RowVector3d center = x.colwise().mean();
  x = ((x.rowwise() - center).array().rowwise() * factors.transpose().array()).matrix().rowwise() + center;
}

/// Turns each cross-section about the middle line by an angle that grows evenly from one end to the other.
void twist(MatrixX3d& x, int axis, double degrees) {
  const Eigen::RowVector3d low = x.colwise().minCoeff(), high = x.colwise().maxCoeff(), middle = (low + high) / 2;
  const double length = high[axis] - low[axis];
  if (!(length > 0)) return;
  for (Index i = 0; i < x.rows(); ++i) {
    const double angle = degrees * std::numbers::pi / 180 * (x(i, axis) - low[axis]) / length;
    const Eigen::AngleAxisd turn(angle, Vec3::Unit(axis));
    x.row(i) = (turn * (x.row(i) - middle).transpose()).transpose() + middle;
  }
}

void jitter(MatrixX3d& x, double amplitude, int seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> even(-amplitude, amplitude);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += even(random);
}

}  // namespace

void begin_body(const InitialSpec& initial, const VectorXd& mass, MatrixX3d& x, MatrixX3d& u) {
  stretch(x, initial.stretch);
  twist(x, initial.twist_axis, initial.twist_degrees);
  if (initial.jitter > 0) jitter(x, initial.jitter, initial.seed);
  const Eigen::RowVector3d center = (mass.transpose() * x) / mass.sum();
  u.resize(x.rows(), 3);
  for (Index i = 0; i < x.rows(); ++i) {
    u.row(i) = (initial.velocity + initial.angular_velocity.cross((x.row(i) - center).transpose())).transpose();
  }
}

}  // namespace brio

#include "brio/integrate/parts/moving_frames.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr double kRoundOff = 1e-13;  // of the velocities

Vec3 at(const VectorXd& x, int point) { return x.segment<3>(3 * point); }

Mat3 cross_matrix(const Vec3& a) {
  Mat3 C;
  C << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return C;
}

/// The centrifugal acceleration at y [m/s^2].
Vec3 centrifugal(const Vec3& spin, const Vec3& y) { return -spin.cross(spin.cross(y)); }

/// p after a time h with p' = force - damping p.
Vec3 momentum_after(const Vec3& p, const Vec3& force, double damping, double h) {
  const double decay = -std::expm1(-damping * h), mean_time = damping > 0 ? decay / damping : h;
  return p - decay * p + mean_time * force;
}

/// The projection onto the directions that a positive semidefinite stiffness does not resist.
Mat3 null_space(const Mat3& stiffness) {
  constexpr double kNone = 1e-9;  // of the largest
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(stiffness);
  Mat3 projection = Mat3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] <= kNone * eigen.eigenvalues()[2])
      projection += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose();
  return projection;
}

}  // namespace

void MovingFrames::find(const State& state, double h) {
  const auto& pieces = system_.free_pieces();
  const VectorXd& mass = system_.mass();
  frames_.resize(pieces.size());
  shape_velocity_.setZero(mass.size());
  for (size_t p = 0; p < pieces.size(); ++p) {
    const Points& points = pieces[p];
    Frame& frame = frames_[p];
    frame.mass = total_mass(points, mass);
    frame.center = mean(points, mass, state.q);
    frame.velocity = mean(points, mass, state.v);
    frame.inertia = inertia(points, mass, state.q, frame.center);
    frame.inverse = inverse_inertia(frame.inertia);
    frame.L.setZero();
    for (int i : points)
      frame.L += mass[3 * i] * (at(state.q, i) - frame.center).cross(at(state.v, i) - frame.velocity);
    frame.spin = frame.inverse * frame.L;
    double moving = 0, deforming = 0;
    for (int i : points) {
      const Vec3 deformation = at(state.v, i) - frame.velocity - frame.spin.cross(at(state.q, i) - frame.center);
      moving += mass[3 * i] * at(state.v, i).squaredNorm();
      deforming += mass[3 * i] * deformation.squaredNorm();
      shape_velocity_.segment<3>(3 * i) = deformation;
    }
    // What is left of a rigid motion by round-off is no direction that a method should search in.
    if (deforming < kRoundOff * kRoundOff * moving)
      for (int i : points) shape_velocity_.segment<3>(3 * i).setZero();
    half_coriolis(points, frame.inertia, frame.spin, state.q, frame.center, h, shape_velocity_);
  }
}

void MovingFrames::see(const State& state, const OutsideForces& outside, VectorXd& velocity) {
  const auto& pieces = system_.free_pieces();
  carried_.setZero(system_.mass().size());
  for (size_t p = 0; p < pieces.size(); ++p) {
    const Points& points = pieces[p];
    Frame& frame = frames_[p];
    frame.touched = std::any_of(points.begin(), points.end(), [&](int i) { return !outside.stiffness[i].isZero(0); });
    frame.used = framed_ == Pieces::all || !frame.touched;
    if (!frame.used) continue;
    // A stiffness from outside feels the center's motion, and the method knows best how to step against it.
    const Vec3 center_velocity = frame.touched ? Vec3::Zero() : frame.velocity;
    for (int i : points) {
      carried_.segment<3>(3 * i) = center_velocity + frame.spin.cross(at(state.q, i) - frame.center);
      velocity.segment<3>(3 * i) = at(shape_velocity_, i) + frame.velocity - center_velocity;
    }
  }
}

bool MovingFrames::some_unused() const {
  return std::any_of(frames_.begin(), frames_.end(), [](const Frame& frame) { return !frame.used; });
}

void MovingFrames::look_ahead(const State& state, double time, VectorXd& q) const {
  const auto& pieces = system_.free_pieces();
  for (size_t p = 0; p < pieces.size(); ++p)
    for (int i : pieces[p])
      q.segment<3>(3 * i) = at(state.q, i) + time * (at(shape_velocity_, i) + frames_[p].velocity);
}

/// What the Coriolis force makes of the velocities u of a shape in half a step, while the frame turns so that the shape
/// does not turn in it: u' = -2 w x u - w' x y with no angular momentum, by the midpoint rule, which keeps |u|.
void MovingFrames::half_coriolis(const Points& points, const Mat3& inertia, const Vec3& spin, const VectorXd& q,
                                 const Vec3& center, double h, VectorXd& u) const {
  const VectorXd& mass = system_.mass();
  const Mat3 W = 0.5 * h * cross_matrix(spin), B = (Mat3::Identity() + W).inverse(), C = B * (Mat3::Identity() - W);
  Mat3 N = Mat3::Zero();
  Vec3 momentum = Vec3::Zero();
  for (int i : points) {
    const Vec3 y = at(q, i) - center;
    const Mat3 Y = cross_matrix(y);
    u.segment<3>(3 * i) = (C * at(u, i)).eval();
    momentum += mass[3 * i] * y.cross(at(u, i));
    N -= mass[3 * i] * Y * B * Y;
  }
  // An axis without inertia gets one, and no angular momentum to divide by it.
  const Mat3 turnable = inertia * inverse_inertia(inertia);
  N += inertia.trace() * (Mat3::Identity() - turnable);
  const Vec3 turn = N.trace() > 0 ? Vec3(N.inverse() * (turnable * momentum)) : Vec3::Zero();
  for (int i : points) u.segment<3>(3 * i) -= B * turn.cross(at(q, i) - center);
}

Vec3 MovingFrames::remove_rigid_part(const Points& points, const Frame& frame, const VectorXd& q,
                                     VectorXd& force) const {
  const Vec3 linear = sum(points, force) / frame.mass;
  const Vec3 angular = frame.inverse * moment(points, q, frame.center, force);
  for (int i : points)
    force.segment<3>(3 * i) -= system_.mass()[3 * i] * (linear + angular.cross(at(q, i) - frame.center));
  return angular;
}

void MovingFrames::add_forces(const State& state, const OutsideForces& outside, const VectorXd& load, double implicit,
                              VectorXd& force) {
  const auto& pieces = system_.free_pieces();
  const VectorXd& mass = system_.mass();
  field_.resize(mass.size());
  from_outside_.resize(mass.size());
  for (size_t p = 0; p < pieces.size(); ++p) {
    const Points& points = pieces[p];
    Frame& frame = frames_[p];
    if (!frame.used) continue;
    for (int i : points)
      field_.segment<3>(3 * i) = mass[3 * i] * centrifugal(frame.spin, at(state.q, i) - frame.center);
    if (frame.touched) {
      for (int i : points) from_outside_.segment<3>(3 * i) = at(load, i) - at(outside.gradient, i);
      frame.removed = remove_rigid_part(points, frame, state.q, field_);
      for (int i : points) {
        const Vec3 carried = at(carried_, i);
        force.segment<3>(3 * i) += at(field_, i) - outside.mass_damping * mass[3 * i] * carried -
                                   (implicit + outside.stiffness_damping) * (outside.stiffness[i] * carried);
      }
    } else {
      for (int i : points) force.segment<3>(3 * i) += at(field_, i);
      frame.removed = remove_rigid_part(points, frame, state.q, force);
      for (int i : points) field_.segment<3>(3 * i) = at(load, i) - at(outside.gradient, i);
      frame.force = sum(points, field_);
      frame.torque = moment(points, state.q, frame.center, field_);
    }
  }
}

void MovingFrames::leave(const State& state, const Linearization& lin, double h, double implicit, const VectorXd& dq,
                         const VectorXd& dv, State& next) {
  const auto& pieces = system_.free_pieces();
  const VectorXd& mass = system_.mass();
  const OutsideForces& outside = lin.outside();
  for (size_t p = 0; p < pieces.size(); ++p) {
    const Points& points = pieces[p];
    Frame& frame = frames_[p];
    if (!frame.used) continue;
    if (frame.touched) {
      Vec3 impulse = Vec3::Zero();
      Mat3 stiffness = Mat3::Zero();
      frame.force.setZero();
      frame.torque.setZero();
      for (int i : points) {
        // The forces inside have no torque. What a method makes of them in a step may have one, which is its error.
        const Vec3 y = at(state.q, i) - frame.center, speed = at(carried_, i) + at(dq, i) / h;
        const Vec3 force = at(from_outside_, i) - outside.mass_damping * mass[3 * i] * speed -
                           (implicit + outside.stiffness_damping) * (outside.stiffness[i] * speed);
        impulse += mass[3 * i] * at(dv, i);
        stiffness += outside.stiffness[i];
        frame.force += force;
        frame.torque += y.cross(force);
      }
      // Against the stiffness the method knows best; where there is none, as along a smooth floor, the force is known.
      frame.unresisted = null_space(stiffness);
      frame.force = impulse / h + frame.unresisted * (frame.force - impulse / h);
    }
    move(points, frame, state, h, frame.touched ? 0 : outside.mass_damping, dq, dv, next);
  }
}

void MovingFrames::move(const Points& points, Frame& frame, const State& state, double h, double damping,
                        const VectorXd& dq, const VectorXd& dv, State& next) {
  const VectorXd& mass = system_.mass();
  const Vec3 mean_dq = mean(points, mass, dq), mean_dv = mean(points, mass, dv);
  const Vec3 L = momentum_after(frame.L, frame.torque, damping, h);
  const Vec3 velocity = momentum_after(frame.mass * frame.velocity, frame.force, damping, h) / frame.mass;
  Vec3 center = frame.center + (frame.touched ? mean_dq : 0.5 * h * (frame.velocity + velocity));
  if (frame.touched) center += frame.unresisted * (0.5 * h * (frame.velocity + velocity) - mean_dq);

  // The new shape, in the frame's axes. Nothing but a touch can turn a piece within its frame.
  Vec3 turn = Vec3::Zero();
  for (int i : points) {
    const Vec3 added = at(dq, i) - mean_dq;
    next.q.segment<3>(3 * i) = added;
    turn += mass[3 * i] * (at(state.q, i) - frame.center).cross(added);
  }
  turn = frame.touched ? Vec3::Zero() : Vec3(frame.inverse * turn);
  for (int i : points) {
    const Vec3 y = at(state.q, i) - frame.center;
    next.q.segment<3>(3 * i) += y - turn.cross(y);
  }
  const Mat3 new_inertia = inertia(points, mass, next.q, Vec3::Zero());
  frame.turned = turned(frame.inertia, new_inertia, frame.L, frame.touched ? frame.L : L, h);

  // The step has felt the inertial forces of its beginning; the mean of beginning and end is right.
  const Mat3 R = frame.turned.toRotationMatrix(), new_inverse = inverse_inertia(new_inertia);
  const Vec3 new_spin = new_inverse * (R.transpose() * L);
  Vec3 turning = Vec3::Zero();
  for (int i : points) {
    const Vec3 y = at(state.q, i) - frame.center, new_y = at(next.q, i);
    const Vec3 more = centrifugal(new_spin, new_y) - centrifugal(frame.spin, y) - frame.removed.cross(new_y - y);
    next.v.segment<3>(3 * i) = at(shape_velocity_, i) + at(dv, i) - mean_dv + 0.5 * h * more;
    turning += mass[3 * i] * new_y.cross(at(next.v, i));
  }
  turning = new_inverse * turning;
  for (int i : points) next.v.segment<3>(3 * i) -= turning.cross(at(next.q, i));
  half_coriolis(points, new_inertia, new_spin, next.q, Vec3::Zero(), h, next.v);

  // Shape and velocities turned to where the frame now stands; then the rigid velocity that makes both momenta right.
  for (int i : points) {
    next.q.segment<3>(3 * i) = (R * at(next.q, i)).eval();
    next.v.segment<3>(3 * i) = (R * at(next.v, i)).eval();
  }
  // Both are about the center but for round-off, which a fast spin would turn into momentum.
  const Vec3 offset = mean(points, mass, next.q), drift = mean(points, mass, next.v);
  Vec3 spin = L;
  for (int i : points) {
    next.q.segment<3>(3 * i) -= offset;
    next.v.segment<3>(3 * i) -= drift;
    spin -= mass[3 * i] * at(next.q, i).cross(at(next.v, i));
  }
  spin = R * (new_inverse * (R.transpose() * spin));
  for (int i : points) {
    next.v.segment<3>(3 * i) += velocity + spin.cross(at(next.q, i));
    next.q.segment<3>(3 * i) += center;
  }
}

double MovingFrames::damping_work(const OutsideForces& outside, double h, const VectorXd& dq) const {
  double work = 0;
  for (const Points& points : system_.free_pieces()) {
    for (int i : points) {
      const Vec3 moved = h * at(carried_, i);
      const Vec3 damped = outside.mass_damping * system_.mass()[3 * i] * moved +
                          outside.stiffness_damping * (outside.stiffness[i] * moved);
      work += damped.dot(moved + 2 * at(dq, i));
    }
  }
  return work;
}

void MovingFrames::turn(VectorXd& fields) const {
  const auto& pieces = system_.free_pieces();
  const Index n = system_.dofs();
  for (size_t p = 0; p < pieces.size(); ++p) {
    if (!frames_[p].used) continue;
    const Mat3 R = frames_[p].turned.toRotationMatrix();
    for (Index first = 0; first < fields.size(); first += n)
      for (int i : pieces[p]) fields.segment<3>(first + 3 * i) = (R * fields.segment<3>(first + 3 * i)).eval();
  }
}

}  // namespace brio

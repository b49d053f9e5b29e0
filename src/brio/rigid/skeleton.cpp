#include "brio/rigid/skeleton.hpp"

#include "brio/core/error.hpp"
#include "brio/rigid/rotation.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace brio {

Skeleton::Skeleton(std::vector<Bone> bones) : bones_(std::move(bones)) {
  if (bones_.empty()) throw Error("a skeleton needs at least one bone");
  sort_bones();
  check_bones();
  for (Bone& bone : bones_) {
    const JointRow& row = row_of(bone.joint.kind);
    all_bones_.push_back(static_cast<int>(all_bones_.size()));
    if (row.has_axis) bone.joint.axis.normalize();
    first_dof_.push_back(dofs_);
    first_coordinate_.push_back(coordinates_);
    dofs_ += row.dofs;
    coordinates_ += row.coordinates;
    damped_ = damped_ || (row.dofs > 0 && bone.joint.damped());
  }
  choose_limit_stiffness();
}

/// Parents first, otherwise as they came.
void Skeleton::sort_bones() {
  std::map<std::string, size_t> number;
  for (size_t b = 0; b < bones_.size(); ++b) {
    if (bones_[b].name.empty()) throw Error("bone {} has no name", b);
    if (!number.emplace(bones_[b].name, b).second) throw Error("two bones are called \"{}\"", bones_[b].name);
  }
  std::vector<std::string> names;
  for (const Bone& bone : bones_) names.push_back(bone.name);
  for (const Bone& bone : bones_) {
    if (!bone.parent.empty() && !number.contains(bone.parent))
      throw Error("bone \"{}\": {}", bone.name, unknown_name("parent", bone.parent, names));
  }
  std::vector<int> place(bones_.size(), -1);
  std::vector<Bone> sorted;
  while (sorted.size() < bones_.size()) {
    const size_t before = sorted.size();
    for (size_t b = 0; b < bones_.size(); ++b) {
      const int up = bones_[b].parent.empty() ? -1 : place[number.at(bones_[b].parent)];
      if (place[b] >= 0 || (up < 0 && !bones_[b].parent.empty())) continue;
      place[b] = static_cast<int>(sorted.size());
      parent_.push_back(up);
      sorted.push_back(bones_[b]);
    }
    if (sorted.size() > before) continue;
    const size_t b = std::find(place.begin(), place.end(), -1) - place.begin();
    throw Error("bone \"{}\" hangs on itself by way of its parents: a skeleton is a tree, without loops",
                bones_[b].name);
  }
  bones_ = std::move(sorted);
}

void Skeleton::check_bones() const {
  for (const Bone& bone : bones_) {
    const auto refuse = [&](const std::string& what) { throw Error("bone \"{}\": {}", bone.name, what); };
    const MassProperties& body = bone.body;
    if (!(body.mass > 0 && std::isfinite(body.mass)))
      refuse(fmt::format("mass = {} kg: must be > 0; give a shape and a density, or a mass", body.mass));
    const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia).eigenvalues();
    if (!(moments[0] > 0 && moments[2] < moments[0] + moments[1]))
      refuse(
          fmt::format("its principal moments of inertia are {:.3g}, {:.3g}, {:.3g} kg m^2: each must be > 0 and "
                      "less than the sum of the other two",
                      moments[0], moments[1], moments[2]));
    const Joint& joint = bone.joint;
    const JointRow& row = row_of(joint.kind);
    if (row.has_axis && !(joint.axis.norm() > 0))
      refuse("axis = [0, 0, 0]: expected a direction, for example [0, 0, 1]");
    if (joint.stiffness < 0 || joint.damping < 0 || joint.limit_stiffness < 0 || joint.limit_damping < 0)
      refuse("stiffness and damping of its joint must be >= 0");
    if (!row.has_spring && (joint.stiffness > 0 || joint.limited()))
      refuse(fmt::format("a {} joint has neither spring nor limits", row.name));
    if (!(joint.lower < joint.upper))
      refuse(fmt::format("lower = {} must be less than upper = {}", joint.lower, joint.upper));
    if (joint.kind == JointKind::revolute && joint.limited() && !(joint.upper - joint.lower < 2 * std::numbers::pi))
      refuse("a revolute joint's limits come in two, lower and upper, less than a whole turn apart");
    if (joint.kind == JointKind::spherical && (std::isfinite(joint.lower) || !(joint.upper > 0) || joint.rest != 0))
      refuse("a spherical joint has only the limit upper > 0, and its spring pulls towards the rest pose");
  }
}

/// So stiff that the weight of all that hangs on the joint, at its reach, gets a hundredth of a radian (or of its
/// reach) beyond the limit.
void Skeleton::choose_limit_stiffness() {
  constexpr double g = 9.81, kShare = 0.01;  // [m/s^2], [rad]
  for (int b = 0; b < bones(); ++b) {
    Joint& joint = bones_[b].joint;
    if (!joint.limited() || joint.limit_stiffness > 0) continue;
    double mass = 0, reach = 0;
    std::vector<char> below(bones(), 0);
    for (int c = b; c < bones(); ++c) {
      below[c] = c == b || (parent_[c] >= 0 && below[parent_[c]]);
      if (!below[c]) continue;
      const MassProperties& body = bones_[c].body;
      mass += body.mass;
      reach = std::max(reach, (body.center - joint.anchor).norm() + std::sqrt(body.inertia.trace() / body.mass));
    }
    joint.limit_stiffness =
        joint.kind == JointKind::prismatic ? mass * g / (kShare * reach) : mass * g * reach / kShare;
  }
}

int Skeleton::find(const std::string& name) const {
  std::vector<std::string> names;
  for (int b = 0; b < bones(); ++b) {
    if (bones_[b].name == name) return b;
    names.push_back(bones_[b].name);
  }
  throw Error("{}", unknown_name("bone", name, names));
}

double Skeleton::mass() const {
  double sum = 0;
  for (const Bone& bone : bones_) sum += bone.body.mass;
  return sum;
}

VectorXd Skeleton::rest() const {
  VectorXd q = VectorXd::Zero(coordinates_);
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    if (row.coordinates > row.dofs) q[first_coordinate_[b] + row.coordinates - 1] = 1;  // w of the quaternion
  }
  return q;
}

Eigen::Quaterniond Skeleton::rotation(const VectorXd& q, int bone) const {
  const JointRow& row = row_of(bones_[bone].joint.kind);
  return Eigen::Quaterniond(Eigen::Vector4d(q.segment<4>(first_coordinate_[bone] + row.turning)));
}

void Skeleton::advance(VectorXd& q, const VectorXd& y) const {
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    const int i = first_coordinate_[b], j = first_dof_[b];
    if (row.coordinates == row.dofs) {
      q.segment(i, row.dofs) += y.segment(j, row.dofs);
      continue;
    }
    q.segment(i, row.turning) += y.segment(j, row.turning);
    const Eigen::Quaterniond turned = exp_rotation(y.segment<3>(j + row.turning)) * rotation(q, b);
    q.segment<4>(i + row.turning) = turned.normalized().coeffs();
  }
}

MatrixXd Skeleton::velocity_map(const VectorXd& y) const {
  MatrixXd S = MatrixXd::Identity(dofs_, dofs_);
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    const int j = first_dof_[b] + row.turning;
    if (row.coordinates > row.dofs) S.block<3, 3>(j, j) = dexp(y.segment<3>(j));
  }
  return S;
}

VectorXd Skeleton::velocity_map_rate(const VectorXd& y, const VectorXd& rate) const {
  VectorXd extra = VectorXd::Zero(dofs_);
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    const int j = first_dof_[b] + row.turning;
    if (row.coordinates > row.dofs) extra.segment<3>(j) = dexp_rate(y.segment<3>(j), rate.segment<3>(j));
  }
  return extra;
}

double Skeleton::largest_turn(const VectorXd& y) const {
  double largest = 0;
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    if (row.coordinates > row.dofs) largest = std::max(largest, y.segment<3>(first_dof_[b] + row.turning).norm());
    if (bones_[b].joint.kind == JointKind::revolute) largest = std::max(largest, std::fabs(y[first_dof_[b]]));
  }
  return largest;
}

SkeletonPose Skeleton::pose(const VectorXd& q) const {
  SkeletonPose pose;
  pose.R.resize(bones());
  pose.t.resize(bones());
  pose.axes = Twists::Zero(6, dofs_);
  for (int b = 0; b < bones(); ++b) {
    const Joint& joint = bones_[b].joint;
    const Mat3 R = parent_[b] < 0 ? Mat3(Mat3::Identity()) : pose.R[parent_[b]];
    const Vec3 t = parent_[b] < 0 ? Vec3(Vec3::Zero()) : pose.t[parent_[b]];
    const int i = first_coordinate_[b], j = first_dof_[b];
    Mat3 turn = Mat3::Identity();
    Vec3 shift = Vec3::Zero();
    const auto turns_about = [&](int dof, const Vec3& axis, const Vec3& point) {
      pose.axes.col(dof) << axis, point.cross(axis);
    };
    if (joint.kind == JointKind::revolute) {
      turn = Eigen::AngleAxisd(q[i], joint.axis).toRotationMatrix();
      turns_about(j, R * joint.axis, R * joint.anchor + t);
    } else if (joint.kind == JointKind::prismatic) {
      shift = q[i] * joint.axis;
      pose.axes.col(j).tail<3>() = R * joint.axis;
    } else if (joint.kind != JointKind::fixed) {
      const int turning = row_of(joint.kind).turning;
      turn = rotation(q, b).toRotationMatrix();
      if (turning > 0) {
        shift = q.segment<3>(i);
        pose.axes.block<3, 3>(3, j) = R;
      }
      for (int k = 0; k < 3; ++k) turns_about(j + turning + k, R.col(k), R * (joint.anchor + shift) + t);
    }
    pose.R[b] = R * turn;
    pose.t[b] = R * (joint.anchor + shift - turn * joint.anchor) + t;
  }
  return pose;
}

VectorXd Skeleton::configuration(const std::vector<Mat3>& R, const std::vector<Vec3>& t) const {
  VectorXd q(coordinates_);
  for (int b = 0; b < bones(); ++b) {
    const Joint& joint = bones_[b].joint;
    const int i = first_coordinate_[b];
    const Mat3 up = parent_[b] < 0 ? Mat3(Mat3::Identity()) : R[parent_[b]];
    const Mat3 turn = up.transpose() * R[b];
    const Vec3 shift = up.transpose() * (parent_[b] < 0 ? t[b] : Vec3(t[b] - t[parent_[b]]));
    if (joint.kind == JointKind::revolute) {
      const Vec3 twice_sine(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
      q[i] = std::atan2(joint.axis.dot(twice_sine), turn.trace() - 1);
    } else if (joint.kind == JointKind::prismatic) {
      q[i] = joint.axis.dot(shift);
    } else if (joint.kind != JointKind::fixed) {
      const int turning = row_of(joint.kind).turning;
      if (turning > 0) q.segment<3>(i) = shift - joint.anchor + turn * joint.anchor;
      q.segment<4>(i + turning) = Eigen::Quaterniond(turn).normalized().coeffs();
    }
  }
  return q;
}

}  // namespace brio

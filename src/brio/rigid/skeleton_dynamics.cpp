// Mass matrix, bias forces and stiffness of a skeleton: sums over bones from the leaves to the roots.

#include "brio/rigid/rotation.hpp"
#include "brio/rigid/skeleton.hpp"

#include <algorithm>

namespace brio {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

/// The motion of a vector of twist `s` that is carried along with velocity `v`: the cross product of twists.
Twist carried(const Twist& v, const Twist& s) {
  const Vec3 w = v.head<3>(), l = v.tail<3>();
  Twist rate;
  rate << w.cross(Vec3(s.head<3>())), w.cross(Vec3(s.tail<3>())) + l.cross(Vec3(s.head<3>()));
  return rate;
}

/// Maps a twist to the wrench of its momentum: both about the origin.
Mat6 spatial_inertia(const MassProperties& body, const Mat3& R, const Vec3& center) {
  const Mat3 c = body.mass * cross_matrix(center);
  Mat6 inertia;
  inertia << R * body.inertia * R.transpose() - c * cross_matrix(center), c, c.transpose(),
      body.mass * Mat3::Identity();
  return inertia;
}

}  // namespace

Wrench ForceMoments::wrench() const {
  Wrench w;  // x cross f, summed, is the skew part of H
  w << H(1, 2) - H(2, 1), H(2, 0) - H(0, 2), H(0, 1) - H(1, 0), G;
  return w;
}

std::vector<Twist> Skeleton::twists(const SkeletonPose& pose, const VectorXd& u) const {
  std::vector<Twist> twists(bones());
  for (int b = 0; b < bones(); ++b) {
    const int n = row_of(bones_[b].joint.kind).dofs, j = first_dof_[b];
    twists[b] = parent_[b] < 0 ? Twist(Twist::Zero()) : twists[parent_[b]];
    twists[b] += pose.axes.middleCols(j, n) * u.segment(j, n);
  }
  return twists;
}

MatrixXd Skeleton::mass_matrix(const SkeletonPose& pose) const {
  std::vector<Mat6> inertia(bones());
  for (int b = 0; b < bones(); ++b)
    inertia[b] = spatial_inertia(bones_[b].body, pose.R[b], pose.position(b, bones_[b].body.center));
  MatrixXd M = MatrixXd::Zero(dofs_, dofs_);
  for (int b = bones() - 1; b >= 0; --b) {
    if (parent_[b] >= 0) inertia[parent_[b]] += inertia[b];
    const int n = row_of(bones_[b].joint.kind).dofs, j = first_dof_[b];
    const Twists momentum = inertia[b] * pose.axes.middleCols(j, n);
    for (int a = b; a >= 0; a = parent_[a]) {
      const int m = row_of(bones_[a].joint.kind).dofs, i = first_dof_[a];
      M.block(i, j, m, n) = pose.axes.middleCols(i, m).transpose() * momentum;
    }
  }
  for (int j = 0; j < dofs_; ++j)  // parents come first: what was found is above the diagonal
    for (int i = 0; i < j; ++i) M(j, i) = M(i, j);
  return M;
}

VectorXd Skeleton::bias(const SkeletonPose& pose, const VectorXd& u) const {
  const std::vector<Twist> velocity = twists(pose, u);
  std::vector<Twist> acceleration(bones());
  std::vector<Wrench> wrenches(bones());
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    Twist carrier = parent_[b] < 0 ? Twist(Twist::Zero()) : velocity[parent_[b]];
    Twist& a = acceleration[b] = parent_[b] < 0 ? Twist(Twist::Zero()) : acceleration[parent_[b]];
    for (int k = 0; k < row.dofs; ++k) {
      const int j = first_dof_[b] + k;
      if (k == row.turning) {  // what turns, turns about a point that the ways before have moved
        const int i = first_dof_[b];
        carrier += pose.axes.middleCols(i, k) * u.segment(i, k);
      }
      a += u[j] * carried(carrier, pose.axes.col(j));
    }
    const MassProperties& body = bones_[b].body;
    const Vec3 c = pose.position(b, body.center), w = velocity[b].head<3>(), v = velocity[b].tail<3>();
    const Mat3 inertia = pose.R[b] * body.inertia * pose.R[b].transpose();
    const Vec3 dw = a.head<3>(), dv = a.tail<3>();
    const Vec3 force = body.mass * (dv + dw.cross(c) + w.cross(v + w.cross(c)));
    wrenches[b] << inertia * dw + w.cross(inertia * w) + c.cross(force), force;
  }
  return generalized(pose, wrenches);
}

VectorXd Skeleton::generalized(const SkeletonPose& pose, const std::vector<Wrench>& wrenches) const {
  VectorXd force(dofs_);
  std::vector<Wrench> below = wrenches;
  for (int b = bones() - 1; b >= 0; --b) {
    if (parent_[b] >= 0) below[parent_[b]] += below[b];
    const int n = row_of(bones_[b].joint.kind).dofs, j = first_dof_[b];
    force.segment(j, n) = pose.axes.middleCols(j, n).transpose() * below[b];
  }
  return force;
}

/// Torques where a joint turns and forces where it slides: each twist of a joint times the wrench is its own entry.
std::vector<Wrench> Skeleton::wrenches(const SkeletonPose& pose, const VectorXd& generalized) const {
  std::vector<Wrench> wrenches(bones(), Wrench::Zero());
  for (int b = 0; b < bones(); ++b) {
    const JointRow& row = row_of(bones_[b].joint.kind);
    const int j = first_dof_[b];
    const int ways = std::min(row.turning, row.dofs);
    const Vec3 force = pose.axes.block(3, j, 3, ways) * generalized.segment(j, ways);
    const Vec3 at = pose.position(b, bones_[b].joint.anchor);
    Wrench wrench;
    wrench << at.cross(force), force;
    for (int k = row.turning; k < row.dofs; ++k)
      wrench.head<3>() += generalized[j + k] * pose.axes.col(j + k).head<3>();
    wrenches[b] += wrench;
    if (parent_[b] >= 0) wrenches[parent_[b]] -= wrench;
  }
  return wrenches;
}

/// Dof i, further up, turns the velocity that dof j gives to x: d2x/(dy_i dy_j) = w_i x (m_j + w_j x x) for twists
/// (w, m). Within a joint the turns are exponential coordinates, whose second derivative is the symmetric mean.
MatrixXd Skeleton::geometric_stiffness(const SkeletonPose& pose, const std::vector<ForceMoments>& forces) const {
  MatrixXd K = MatrixXd::Zero(dofs_, dofs_);
  std::vector<ForceMoments> below = forces;
  for (int b = bones() - 1; b >= 0; --b) {
    if (parent_[b] >= 0) below[parent_[b]].G += below[b].G, below[parent_[b]].H += below[b].H;
    const JointRow& row = row_of(bones_[b].joint.kind);
    for (int k = 0; k < row.dofs; ++k) {
      const int j = first_dof_[b] + k;
      const Vec3 w = pose.axes.col(j).head<3>(), m = pose.axes.col(j).tail<3>();
      const Vec3 lever = m.cross(below[b].G) + below[b].H * w - below[b].H.trace() * w;
      for (int a = parent_[b]; a >= 0; a = parent_[a]) {
        for (int i = first_dof_[a]; i < first_dof_[a] + row_of(bones_[a].joint.kind).dofs; ++i)
          K(i, j) = K(j, i) = pose.axes.col(i).head<3>().dot(lever);
      }
      if (k < row.turning) continue;
      for (int i = first_dof_[b] + row.turning; i < first_dof_[b] + row.dofs; ++i) {
        const double half = pose.axes.col(i).head<3>().dot(lever) / 2;
        K(i, j) += half;
        K(j, i) += half;
      }
    }
  }
  return K;
}

MatrixXd Skeleton::point_jacobian(const SkeletonPose& pose, int bone, const Vec3& x) const {
  MatrixXd B = MatrixXd::Zero(3, dofs_);
  for (int b = bone; b >= 0; b = parent_[b]) {
    const int n = row_of(bones_[b].joint.kind).dofs, j = first_dof_[b];
    B.middleCols(j, n) = pose.axes.block(3, j, 3, n) - cross_matrix(x) * pose.axes.block(0, j, 3, n);
  }
  return B;
}

}  // namespace brio

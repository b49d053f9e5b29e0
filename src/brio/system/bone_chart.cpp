#include "brio/system/bone_chart.hpp"

#include "brio/core/error.hpp"
#include "brio/system/bone_linearization.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

struct BoneChart::Place {
  VectorXd y;  ///< since the middle
  VectorXd q;  ///< configuration
  SkeletonPose pose;
  MatrixXd S;     ///< u = S y'
  VectorXd x;     ///< of all vertices, stacked [m]
  VectorXd free;  ///< the same as a state of the nodal system [m]
};

BoneChart::BoneChart(const NodalSystem& nodal, std::shared_ptr<const BonePoints> points, Obstacles obstacles)
    : nodal_(nodal), points_(std::move(points)), obstacles_(obstacles) {
  for (int v : points_->vertices())
    if (nodal_.supported(v))
      throw Error("vertex {} of a bone is in a constrained set: bones hang by their joints; choose other vertices", v);
  const Index joints = points_->skeleton().dofs();
  if (joints == 0) throw Error("all joints are fixed: nothing is left to move");
  std::vector<char> carried(nodal_.vertices(), 0);
  for (int v : points_->vertices()) carried.at(v) = 1;
  const int points_in_all = static_cast<int>(nodal_.dofs() / 3);
  tissue_point_.assign(points_in_all, -1);
  carried_row_.assign(points_in_all, -1);
  for (int i = 0; i < points_in_all; ++i) {
    if (carried[nodal_.vertex_of(i)]) {
      carried_row_[i] = static_cast<int>(carried_.size());
      carried_.push_back(i);
      continue;
    }
    tissue_point_[i] = static_cast<int>(tissue_.size());
    tissue_.push_back(i);
  }
  for (const std::vector<int>& piece : nodal_.free_pieces()) {
    if (std::any_of(piece.begin(), piece.end(), [&](int i) { return tissue_point_[i] < 0; })) continue;
    free_pieces_.emplace_back();
    for (int i : piece) free_pieces_.back().push_back(tissue_point_[i]);
  }
  mass_.setOnes(tissue() + joints);
  gather_tissue(nodal_.mass(), mass_.head(tissue()));
  if (obstacles_ == Obstacles::felt && nodal_.surfaces())
    bare_ = std::make_unique<BoneChart>(nodal_, points_, Obstacles::left_out);
  enter({0, nodal_.rest(), VectorXd::Zero(nodal_.dofs()), {}});
}

void BoneChart::gather_tissue(const VectorXd& free, Eigen::Ref<VectorXd> z) const {
  for (size_t i = 0; i < tissue_.size(); ++i) z.segment<3>(3 * i) = free.segment<3>(3 * tissue_[i]);
}

void BoneChart::scatter_tissue(const Eigen::Ref<const VectorXd>& z, VectorXd& free) const {
  for (size_t i = 0; i < tissue_.size(); ++i) free.segment<3>(3 * tissue_[i]) = z.segment<3>(3 * i);
}

/// A free vector of the nodal system, stacked over all vertices in their order. Only what bones carry is looked at,
/// which is never supported.
VectorXd BoneChart::scattered(const VectorXd& free) const {
  MatrixX3d field;
  nodal_.velocities(0, free, field);
  return field.reshaped<Eigen::RowMajor>();
}

VectorXd BoneChart::free_part(const VectorXd& stacked) const {
  return nodal_.free_part(Eigen::Map<const MatrixX3d>(stacked.data(), nodal_.vertices(), 3));
}

State BoneChart::enter(const State& nodal) {
  const Skeleton& skeleton = points_->skeleton();
  base_ = points_->configuration(scattered(nodal.q));
  const SkeletonPose pose = skeleton.pose(base_);
  L_.compute(skeleton.mass_matrix(pose));
  if (bare_) {
    bare_->base_ = base_;
    bare_->L_ = L_;
  }
  State local{nodal.t, VectorXd::Zero(dofs()), VectorXd(dofs()), {}};
  gather_tissue(nodal.q, local.q.head(tissue()));
  gather_tissue(nodal.v, local.v.head(tissue()));
  local.v.tail(skeleton.dofs()) = L_.upper_times(points_->velocity(pose, scattered(nodal.v)));
  return local;
}

/// Velocities of the nodal system.
VectorXd BoneChart::chart_velocity(const SkeletonPose& pose, const MatrixXd& S, const VectorXd& v) const {
  VectorXd field = VectorXd::Zero(3 * nodal_.vertices());
  points_->put_velocities(pose, S * L_.solve_upper(VectorXd(v.tail(S.rows()))), field);
  VectorXd free = free_part(field);
  scatter_tissue(v.head(tissue()), free);
  return free;
}

void BoneChart::leave(const State& local, State& nodal) const {
  const Place place = at(local.q);
  nodal.t = local.t;
  nodal.v = chart_velocity(place.pose, place.S, local.v);
  nodal.q = place.free;
}

double BoneChart::largest_turn(const State& local) const {
  const Skeleton& skeleton = points_->skeleton();
  return skeleton.largest_turn(L_.solve_upper(VectorXd(local.q.tail(skeleton.dofs()))));
}

BoneChart::Place BoneChart::at(const VectorXd& z) const {
  const Skeleton& skeleton = points_->skeleton();
  Place place;
  place.y = L_.solve_upper(VectorXd(z.tail(skeleton.dofs())));
  place.q = base_;
  skeleton.advance(place.q, place.y);
  place.pose = skeleton.pose(place.q);
  place.S = skeleton.velocity_map(place.y);
  place.x.setZero(3 * nodal_.vertices());
  points_->put_positions(place.pose, place.x);
  place.free = free_part(place.x);
  scatter_tissue(z.head(tissue()), place.free);
  if (!tissue_.empty()) place.x = scattered(place.free);
  return place;
}

VectorXd BoneChart::in_chart(const Place& place, const VectorXd& generalized) const {
  return L_.solve_lower(place.S.transpose() * generalized);
}

Potentials BoneChart::potentials(double t, const VectorXd& z) const {
  return nodal_.potentials(t, at(z).free, obstacles_);
}

void BoneChart::gradient(double t, const VectorXd& z, VectorXd& g) const { potentials_and_gradient(t, z, g); }

Potentials BoneChart::potentials_and_gradient(double t, const VectorXd& z, VectorXd& g) const {
  const Place place = at(z);
  VectorXd free;
  const Potentials potentials = nodal_.potentials_and_gradient(t, place.free, free, obstacles_);
  g.resize(dofs());
  gather_tissue(free, g.head(tissue()));
  g.tail(dofs() - tissue()) = in_chart(place, points_->generalized(place.pose, place.x, scattered(free)));
  return potentials;
}

void BoneChart::load(double t, const VectorXd& z, const VectorXd& v, VectorXd& f) const {
  const Skeleton& skeleton = points_->skeleton();
  const Place place = at(z);
  const VectorXd rate = L_.solve_upper(VectorXd(v.tail(skeleton.dofs()))), u = place.S * rate;
  VectorXd gradient, pushed;
  nodal_.gradient(t, place.free, gradient, obstacles_);
  nodal_.load(t, place.free, chart_velocity(place.pose, place.S, v), pushed);
  const VectorXd along = points_->generalized(place.pose, place.x, scattered(gradient));
  const VectorXd damped = skeleton.joint_damping(place.q).cwiseProduct(u);
  const VectorXd force = points_->generalized(place.pose, place.x, scattered(pushed)) - along - damped;
  const VectorXd du = solve_definite(skeleton.mass_matrix(place.pose), force - skeleton.bias(place.pose, u));
  const VectorXd y2 = solve_general(place.S, du - skeleton.velocity_map_rate(place.y, rate));
  f.resize(dofs());
  gather_tissue(pushed, f.head(tissue()));
  f.tail(skeleton.dofs()) = L_.upper_times(y2) + in_chart(place, along + damped);
}

void BoneChart::working_load(double t, const VectorXd& z, const VectorXd& v, VectorXd& f) const {
  const Place place = at(z);
  VectorXd pushed;
  nodal_.load(t, place.free, chart_velocity(place.pose, place.S, v), pushed);
  f.resize(dofs());
  gather_tissue(pushed, f.head(tissue()));
  f.tail(dofs() - tissue()) = in_chart(place, points_->generalized(place.pose, place.x, scattered(pushed)));
}

double BoneChart::kinetic_energy(const VectorXd& z, const VectorXd& v) const {
  const Place place = at(z);
  return nodal_.kinetic_energy(place.free, chart_velocity(place.pose, place.S, v));
}

void BoneChart::derivatives(double t, const VectorXd& z, Psd psd, Derivatives& out) const {
  const Skeleton& skeleton = points_->skeleton();
  const Place place = at(z);
  const Index n = skeleton.dofs();
  VectorXd free;
  nodal_.derivatives(t, place.free, psd, free, out.K, free_pieces_.empty() ? nullptr : &out.outside,
                     obstacles_);
  const VectorXd g = scattered(free);
  out.gradient.resize(dofs());
  gather_tissue(free, out.gradient.head(tissue()));
  out.gradient.tail(n) = in_chart(place, points_->generalized(place.pose, place.x, g));

  // Joints know their stiffness by themselves; the forces that stand for them on the points do not count here.
  VectorXd from_joints = VectorXd::Zero(g.size());
  points_->add_wrenches(place.pose, skeleton.wrenches(place.pose, skeleton.joint_gradient(place.q)), from_joints);
  const MatrixXd own = skeleton.joint_stiffness(place.q) +
                       skeleton.geometric_stiffness(place.pose, points_->moments(place.x, g - from_joints));
  const MatrixXd to_u = place.S * L_.solve_upper(MatrixXd(MatrixXd::Identity(n, n)));
  out.own = congruence(to_u, own);
  out.D = diagonal_congruence(to_u, skeleton.joint_damping(place.q));
  out.B.resize(free.size(), n);
  VectorXd field = VectorXd::Zero(g.size());
  for (Index j = 0; j < n; ++j) {
    points_->put_velocities(place.pose, to_u.col(j), field);
    out.B.col(j) = free_part(field);
  }
  if (psd != Psd::clamp || !out.own.allFinite()) return;
  out.own = without_negative_eigenvalues(out.own);
}

void BoneChart::find_touches(double t0, const VectorXd& z0, double t1, const VectorXd& z1,
                             std::vector<Touch>& touches) const {
  nodal_.find_touches(t0, at(z0).free, t1, at(z1).free, touches);
  for (Touch& touch : touches) touch.point = point_of(nodal_.vertex_of(touch.point));
}

int BoneChart::point_of(int vertex) const {
  const int row = nodal_.point_of(vertex);
  if (row < 0) return -1;
  return tissue_point_[row] >= 0 ? tissue_point_[row] : own_points() + carried_row_[row];
}

int BoneChart::vertex_of(int point) const {
  return nodal_.vertex_of(point < own_points() ? tissue_[point] : carried_[point - own_points()]);
}

void BoneChart::find_carried(const VectorXd& z, MatrixXd& velocities) const {
  const Place place = at(z);
  const Index n = points_->skeleton().dofs();
  const MatrixXd to_u = place.S * L_.solve_upper(MatrixXd(MatrixXd::Identity(n, n)));
  velocities.resize(3 * static_cast<Index>(carried_.size()), n);
  VectorXd field = VectorXd::Zero(3 * nodal_.vertices());
  for (Index j = 0; j < n; ++j) {
    points_->put_velocities(place.pose, to_u.col(j), field);
    for (size_t k = 0; k < carried_.size(); ++k)
      velocities.block<3, 1>(3 * static_cast<Index>(k), j) = field.segment<3>(3 * nodal_.vertex_of(carried_[k]));
  }
}

void BoneChart::stack_positions(double t, const VectorXd& z, VectorXd& x) const {
  nodal_.stack_positions(t, at(z).free, x);
}

double BoneChart::potential_change(double from, double known, double to, const VectorXd& z) const {
  if (obstacles_ == Obstacles::left_out) return System::potential_change(from, known, to, z);
  return nodal_.potential_change(from, known, to, at(z).free);
}

std::unique_ptr<Linearization> BoneChart::linearization() const { return std::make_unique<BoneLinearization>(*this); }

VectorXd BoneChart::rest() const {
  VectorXd z = VectorXd::Zero(dofs());
  gather_tissue(nodal_.rest(), z.head(tissue()));
  return z;
}

/// As large in these coordinates, whose masses are others.
double BoneChart::free_fall() const { return nodal_.free_fall() * std::sqrt(nodal_.mass().sum() / mass().sum()); }

void BoneChart::positions(double t, const VectorXd& z, MatrixX3d& x) const { nodal_.positions(t, at(z).free, x); }

void BoneChart::velocities(double t, const VectorXd& v, MatrixX3d& u) const {
  const Index n = points_->skeleton().dofs();
  nodal_.velocities(t, chart_velocity(points_->skeleton().pose(base_), MatrixXd::Identity(n, n), v), u);
}

}  // namespace brio

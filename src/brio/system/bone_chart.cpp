#include "brio/system/bone_chart.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace brio {

struct BoneChart::Place {
  VectorXd q;  ///< configuration
  SkeletonPose pose;
  MatrixXd S;     ///< u = S y'
  VectorXd x;     ///< of all vertices, stacked [m]
  VectorXd free;  ///< the same as a state of the nodal system [m]
};

namespace {

/// Dense stiffness, damping and factor of a few degrees of freedom.
class BoneLinearization : public Linearization {
 public:
  explicit BoneLinearization(const BoneChart& chart) : chart_(chart) {}

  void assemble(double t, const VectorXd& xi, Psd psd, VectorXd& gradient) override {
    chart_.derivatives(t, xi, psd, gradient, K_, D_);
  }
  const OutsideForces& outside() const override { return nothing_; }
  void multiply_stiffness(const VectorXd& x, VectorXd& y) const override { y.noalias() = K_ * x; }
  void multiply_damping(const VectorXd& x, VectorXd& y) const override { y.noalias() = D_ * x; }
  void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override {
    Y.noalias() = K_ * X;
  }
  void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override {
    Y.noalias() = D_ * X;
  }
  std::optional<ProportionalDamping> proportional_damping() const override {
    if (chart_.has_damping()) return {};
    return ProportionalDamping{};
  }
  FactorStatus factor(double m, double d, double k, double shift) override {
    MatrixXd A = d * D_ + k * K_;
    A.diagonal().array() += m + shift;
    if (!A.allFinite()) return FactorStatus::not_positive_definite;
    cholesky_.compute(A);
    return cholesky_.info() == Eigen::Success ? FactorStatus::ok : FactorStatus::not_positive_definite;
  }
  void solve(Eigen::Ref<MatrixXd> B) override { cholesky_.solveInPlace(B); }

 private:
  const BoneChart& chart_;
  OutsideForces nothing_;
  MatrixXd K_, D_;
  Eigen::LLT<MatrixXd> cholesky_;
};

}  // namespace

BoneChart::BoneChart(const NodalSystem& nodal, std::shared_ptr<const BonePoints> points)
    : nodal_(nodal), points_(std::move(points)) {
  if (nodal_.vertices() != points_->count() || nodal_.dofs() != 3 * points_->count())
    throw Error("{} vertices, {} of them free, are not the {} points of the bones: bones move by their joints alone",
                nodal_.vertices(), nodal_.dofs() / 3, points_->count());
  if (points_->skeleton().dofs() == 0) throw Error("all joints are fixed: nothing is left to move");
  mass_ = VectorXd::Ones(points_->skeleton().dofs());
  enter({0, nodal_.rest(), VectorXd::Zero(nodal_.dofs()), {}});
}

/// A free vector of the nodal system, stacked over all vertices in their order; nothing is supported.
VectorXd BoneChart::scattered(const VectorXd& free) const {
  MatrixX3d field;
  nodal_.velocities(0, free, field);
  return field.reshaped<Eigen::RowMajor>();
}

State BoneChart::enter(const State& nodal) {
  const Skeleton& skeleton = points_->skeleton();
  base_ = points_->configuration(scattered(nodal.q));
  const SkeletonPose pose = skeleton.pose(base_);
  L_.compute(skeleton.mass_matrix(pose));
  const VectorXd u = points_->velocity(pose, scattered(nodal.v));
  return {nodal.t, VectorXd::Zero(dofs()), L_.matrixU() * u, {}};
}

void BoneChart::leave(const State& local, State& nodal) const {
  const Place place = at(local.q);
  VectorXd v(place.x.size());
  points_->put_velocities(place.pose, place.S * L_.matrixU().solve(local.v), v);
  nodal.t = local.t;
  nodal.q = place.free;
  nodal.v = nodal_.free_part(Eigen::Map<const MatrixX3d>(v.data(), points_->count(), 3));
}

double BoneChart::largest_turn(const State& local) const {
  return points_->skeleton().largest_turn(L_.matrixU().solve(local.q));
}

BoneChart::Place BoneChart::at(const VectorXd& xi) const {
  const Skeleton& skeleton = points_->skeleton();
  const VectorXd y = L_.matrixU().solve(xi);
  Place place;
  place.q = base_;
  skeleton.advance(place.q, y);
  place.pose = skeleton.pose(place.q);
  place.S = skeleton.velocity_map(y);
  place.x.resize(3 * points_->count());
  points_->put_positions(place.pose, place.x);
  place.free = nodal_.free_part(Eigen::Map<const MatrixX3d>(place.x.data(), points_->count(), 3));
  return place;
}

VectorXd BoneChart::in_chart(const Place& place, const VectorXd& generalised) const {
  return L_.matrixL().solve(place.S.transpose() * generalised);
}

Potentials BoneChart::potentials(double t, const VectorXd& xi) const { return nodal_.potentials(t, at(xi).free); }

void BoneChart::gradient(double t, const VectorXd& xi, VectorXd& g) const { potentials_and_gradient(t, xi, g); }

Potentials BoneChart::potentials_and_gradient(double t, const VectorXd& xi, VectorXd& g) const {
  const Place place = at(xi);
  VectorXd free;
  const Potentials potentials = nodal_.potentials_and_gradient(t, place.free, free);
  g = in_chart(place, points_->generalised(place.pose, place.x, scattered(free)));
  return potentials;
}

void BoneChart::load(double t, const VectorXd& xi, const VectorXd& v, VectorXd& f) const {
  const Skeleton& skeleton = points_->skeleton();
  const Place place = at(xi);
  const VectorXd rate = L_.matrixU().solve(v), u = place.S * rate;
  VectorXd field(place.x.size()), gradient, pushed;
  points_->put_velocities(place.pose, u, field);
  const VectorXd free_v = nodal_.free_part(Eigen::Map<const MatrixX3d>(field.data(), points_->count(), 3));
  nodal_.gradient(t, place.free, gradient);
  nodal_.load(t, place.free, free_v, pushed);
  const VectorXd along = points_->generalised(place.pose, place.x, scattered(gradient));
  const VectorXd damped = skeleton.joint_damping(place.q).cwiseProduct(u);
  const VectorXd force = points_->generalised(place.pose, place.x, scattered(pushed)) - along - damped;
  const VectorXd du = skeleton.mass_matrix(place.pose).llt().solve(force - skeleton.bias(place.pose, u));
  const VectorXd y2 = place.S.partialPivLu().solve(du - skeleton.velocity_map_rate(L_.matrixU().solve(xi), rate));
  f = L_.matrixU() * y2 + in_chart(place, along + damped);
}

void BoneChart::derivatives(double t, const VectorXd& xi, Psd psd, VectorXd& gradient, MatrixXd& K, MatrixXd& D) const {
  const Skeleton& skeleton = points_->skeleton();
  const Place place = at(xi);
  const Index n = dofs();
  BlockMatrix nodal_K(nodal_.pattern());
  VectorXd free;
  nodal_.derivatives(t, place.free, psd, free, nodal_K);
  const VectorXd g = scattered(free);
  gradient = in_chart(place, points_->generalised(place.pose, place.x, g));

  // Joints know their stiffness by themselves; the forces that stand for them on the points do not count here.
  const VectorXd from_joints = skeleton.joint_gradient(place.q);
  VectorXd others = VectorXd::Zero(g.size());
  points_->add_wrenches(place.pose, skeleton.wrenches(place.pose, from_joints), others);
  others = g - others;
  K = skeleton.joint_stiffness(place.q) + skeleton.geometric_stiffness(place.pose, points_->moments(place.x, others));

  MatrixXd B(free.size(), n), KB(free.size(), n);
  VectorXd field(g.size());
  for (Index j = 0; j < n; ++j) {
    points_->put_velocities(place.pose, VectorXd::Unit(n, j), field);
    B.col(j) = nodal_.free_part(Eigen::Map<const MatrixX3d>(field.data(), points_->count(), 3));
  }
  std::vector<double> work;
  nodal_K.multiply(B, KB, work);
  K += B.transpose() * KB;

  const MatrixXd to_y = place.S * L_.matrixU().solve(MatrixXd::Identity(n, n));
  K = to_y.transpose() * K * to_y;
  D = to_y.transpose() * skeleton.joint_damping(place.q).asDiagonal() * to_y;
  if (psd != Psd::clamp || !K.allFinite()) return;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(K);
  K = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

std::unique_ptr<Linearization> BoneChart::linearization() const { return std::make_unique<BoneLinearization>(*this); }

std::unique_ptr<ProjectiveMatrix> BoneChart::projective_matrix() const {
  throw Error("bones have no constant stand-in for their stiffness: choose the solver \"newton\"");
}

void BoneChart::positions(double, const VectorXd& xi, MatrixX3d& x) const {
  x = Eigen::Map<const MatrixX3d>(at(xi).x.data(), points_->count(), 3);
}

void BoneChart::velocities(double, const VectorXd& v, MatrixX3d& u) const {
  VectorXd field(3 * points_->count());
  points_->put_velocities(points_->skeleton().pose(base_), L_.matrixU().solve(v), field);
  u = Eigen::Map<const MatrixX3d>(field.data(), points_->count(), 3);
}

}  // namespace brio

#include "brio/system/nodal_linearization.hpp"

#include "brio/core/ranks.hpp"
#include "brio/system/block_rows.hpp"

#include <algorithm>

namespace brio {

NodalLinearization::NodalLinearization(const NodalSystem& system, std::unique_ptr<BlockSolver> solver,
                                       Obstacles obstacles)
    : system_(system), obstacles_(obstacles), K_(system.pattern()), solver_(std::move(solver)) {
  outside_.mass_damping = system.damping().alpha;
  if (!system.damping().rest_stiffness) outside_.stiffness_damping = system.damping().beta;
  if (system.damping().beta != 0 && system.damping().rest_stiffness) {
    rest_K_ = std::make_unique<BlockMatrix>(system.pattern());
    combined_ = std::make_unique<BlockMatrix>(system.pattern());
    VectorXd gradient;
    system.derivatives(0, system.free_part(system.rest_positions()), Psd::clamp, gradient, *rest_K_, nullptr,
                       obstacles_);
  }
}

void NodalLinearization::assemble(double t, const VectorXd& q, Psd psd, VectorXd& gradient) {
  system_.derivatives(t, q, psd, gradient, K_, system_.free_pieces().empty() ? nullptr : &outside_, obstacles_);
  untouched_.clear();
  place(q);
}

void NodalLinearization::place(const VectorXd& q) {
  if (solver_)
    solver_->set_positions(q);
  else
    q_ = q;
}

BlockSolver& NodalLinearization::solver() {
  if (!solver_) {
    solver_ = system_.make_solver();
    solver_->set_positions(q_);
    q_.resize(0);
  }
  return *solver_;
}

void NodalLinearization::set_touches(const std::vector<Touch>& touches, double weight) {
  const bool outside = !system_.free_pieces().empty();
  const auto block = [&](int point) { return Eigen::Map<Mat3>(K_.block(system_.pattern()->column_begin[point])); };
  // Backwards: a vertex that touches two obstacles was saved twice.
  for (auto saved = untouched_.rbegin(); saved != untouched_.rend(); ++saved) {
    block(saved->point) = saved->block;
    if (!outside) continue;
    outside_.stiffness[saved->point] = saved->outside_stiffness;
    outside_.gradient.segment<3>(3 * saved->point) = saved->outside_gradient;
  }
  untouched_.clear();
  for (const Touch& touch : touches) {
    Untouched& saved = untouched_.emplace_back();
    saved.point = touch.point;
    saved.block = block(touch.point);
    const Mat3 stiffness = weight * touch_stiffness(touch);  // symmetric, as the order within a block does not matter
    block(touch.point) += stiffness;
    if (!outside) continue;
    saved.outside_stiffness = outside_.stiffness[touch.point];
    saved.outside_gradient = outside_.gradient.segment<3>(3 * touch.point);
    outside_.stiffness[touch.point] += stiffness;
    outside_.gradient.segment<3>(3 * touch.point) += touch_gradient(touch);
  }
}

void NodalLinearization::multiply(const BlockMatrix& A, const VectorXd& x, VectorXd& y) const {
  A.multiply(x, y);
  system_.shared_points().exchange(y.data());
}

void NodalLinearization::multiply(const BlockMatrix& A, const Eigen::Ref<const MatrixXd>& X,
                                  Eigen::Ref<MatrixXd> Y) const {
  A.multiply(X, Y, work_);
  for (Index c = 0; c < Y.cols(); ++c) system_.shared_points().exchange(Y.col(c).data());
}

void NodalLinearization::multiply_damping(const VectorXd& x, VectorXd& y) const {
  const RayleighDamping& damping = system_.damping();
  if (damping.beta == 0) {
    y = damping.alpha * system_.mass().cwiseProduct(x);
    return;
  }
  multiply(rest_K_ ? *rest_K_ : K_, x, y);
  y = damping.beta * y + damping.alpha * system_.mass().cwiseProduct(x);
}

void NodalLinearization::multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const {
  const RayleighDamping& damping = system_.damping();
  if (damping.beta == 0) {
    Y = damping.alpha * (system_.mass().asDiagonal() * X);
    return;
  }
  multiply(rest_K_ ? *rest_K_ : K_, X, Y);
  for (Index c = 0; c < X.cols(); ++c)
    Y.col(c) = damping.beta * Y.col(c) + damping.alpha * system_.mass().cwiseProduct(X.col(c));
}

std::optional<ProportionalDamping> NodalLinearization::proportional_damping() const {
  if (rest_K_) return std::nullopt;
  return ProportionalDamping{system_.damping().alpha, system_.damping().beta};
}

FactorStatus NodalLinearization::factor(double m, double d, double k, double shift) {
  const RayleighDamping& damping = system_.damping();
  diagonal_ = (m + d * damping.alpha + shift) * system_.mass();
  if (!rest_K_) return solver().factor(K_, k + d * damping.beta, diagonal_);
  combined_->set_sum(k, K_, d * damping.beta, *rest_K_);
  return solver().factor(*combined_, 1, diagonal_);
}

FactorStatus NodalLinearization::factor_pinned(const std::vector<int>& pinned, double shift) {
  const BlockPattern& pattern = *system_.pattern();
  diagonal_ = shift * system_.mass();
  unpinned_.clear();
  const auto clear = [&](int slot) {
    double* block = K_.block(slot);
    std::copy_n(block, 9, unpinned_.emplace_back(slot, std::array<double, 9>{}).second.begin());
    std::fill_n(block, 9, 0.0);
  };
  for (int point : pinned) {
    for (int slot = pattern.column_begin[point]; slot < pattern.column_begin[point + 1]; ++slot) clear(slot);
    for (int e = pattern.row_begin[point]; e < pattern.row_begin[point + 1]; ++e) clear(pattern.row_slot[e]);
    diagonal_.segment<3>(3 * point).setOnes();
  }
  const FactorStatus status = solver().factor(K_, 1, diagonal_);
  // Backwards: a block between two pinned points was cleared twice.
  for (auto saved = unpinned_.rbegin(); saved != unpinned_.rend(); ++saved)
    std::copy_n(saved->second.begin(), 9, K_.block(saved->first));
  return status;
}

void NodalLinearization::subtract_columns(const std::vector<int>& pinned, Eigen::Ref<MatrixXd> X) const {
  for (size_t b = 0; b < pinned.size(); ++b)
    for_each_block(K_, pinned[b], [&](int other, const Mat3& block) {
      X.block<3, 3>(3 * other, 3 * static_cast<Index>(b)) -= block.transpose();
    });
}

void NodalLinearization::multiply_rows(const std::vector<int>& pinned, const Eigen::Ref<const MatrixXd>& X,
                                       MatrixXd& rows) const {
  rows.setZero(3 * static_cast<Index>(pinned.size()), X.cols());
  for (size_t b = 0; b < pinned.size(); ++b)
    for_each_block(K_, pinned[b], [&](int other, const Mat3& block) {
      rows.middleRows<3>(3 * static_cast<Index>(b)).noalias() += block * X.middleRows<3>(3 * other);
    });
}

}  // namespace brio

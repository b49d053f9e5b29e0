#include "brio/integrate/parts/arnoldi_exponential.hpp"

#include "brio/linalg/dense_exponential.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

void ArnoldiExponential::apply(const FrozenMotion& motion, const VectorXd& z, VectorXd& y) {
  const Index n = root_mass_.size();
  x_ = z.head(n).cwiseQuotient(root_mass_) / omega_;
  motion.linearization.multiply_stiffness(x_, Kx_);
  x_ = z.segment(n, n).cwiseQuotient(root_mass_);
  motion.linearization.multiply_damping(x_, Dx_);
  y.resize(2 * n + 1);
  y.head(n) = omega_ * z.segment(n, n);
  y.segment(n, n) = -(Kx_ + Dx_).cwiseQuotient(root_mass_);
  y.head(2 * n) += z[2 * n] * c_;
  y[2 * n] = 0;
}

int ArnoldiExponential::grow(const FrozenMotion& motion, double time, double error_rate, KrylovOutcome& outcome) {
  const int most = static_cast<int>(std::min<Index>(limits_.space, z_.size()));
  if (V_.rows() != z_.size() || V_.cols() != most + 1) V_.resize(z_.size(), most + 1);
  H_.setZero(most + 1, most);
  start_length_ = z_.norm();
  V_.col(0) = z_ / start_length_;
  column_ = V_.col(0);
  apply(motion, column_, image_);
  ++outcome.matvecs;
  invariant_ = false;
  int look = 8;
  for (int size = 1;; ++size) {
    const double before = image_.norm();
    for (int i = 0; i < size; ++i) {
      H_(i, size - 1) = V_.col(i).dot(image_);
      image_ -= H_(i, size - 1) * V_.col(i);
    }
    const double left = image_.norm();
    // What is left is rounding: the space is invariant and holds the whole motion.
    constexpr double kInvariant = 1e-14;
    invariant_ = !(left > kInvariant * before);
    if (invariant_) return size;
    H_(size, size - 1) = left;
    V_.col(size) = image_ / left;
    column_ = V_.col(size);
    apply(motion, column_, image_);
    ++outcome.matvecs;
    next_image_ = image_.norm();
    if (size == most) return size;
    if (size < look) continue;
    if (estimate(size, time).error <= error_rate * time) return size;
    look = size + std::max(2, size / 5);
  }
}

ArnoldiExponential::Estimate ArnoldiExponential::estimate(int size, double tau) {
  if (invariant_) {
    small_ = dense_exponential(tau * H_.topLeftCorner(size, size));
    return {small_.allFinite() ? 0 : small_(0, 0), 1};
  }
  // Two rows more than the space: the first column of the exponential then holds phi_1 and phi_2 times the last
  // coefficient, the first two terms of the error's series (Sidje 1998, section 3).
  MatrixXd H = MatrixXd::Zero(size + 2, size + 2);
  H.topLeftCorner(size + 1, size) = H_.topLeftCorner(size + 1, size);
  H(size + 1, size) = 1;
  small_ = dense_exponential(tau * H);
  const double first = std::fabs(start_length_ * small_(size, 0));
  const double second = std::fabs(start_length_ * small_(size + 1, 0)) * next_image_;
  const double order = size;
  if (first > 10 * second) return {second, order};  // the series converges fast
  if (first > second) return {first * second / (first - second), order};
  return {first, std::max(1.0, order - 1)};
}

KrylovOutcome ArnoldiExponential::advance(const FrozenMotion& motion, double h, VectorXd& dq, VectorXd& dv) {
  KrylovOutcome outcome;
  const Index n = motion.mass.size();
  double speed = start_motion(motion, h, dq, dv, outcome);
  constexpr int kPowers = 4;
  omega_ = std::max(highest_frequency(motion, kPowers), 1 / h);
  outcome.matvecs += kPowers;
  if (!(speed > 0)) return outcome;
  root_mass_ = motion.mass.cwiseSqrt();
  c_.resize(2 * n);
  c_ << omega_ * root_mass_.cwiseProduct(motion.v), motion.f.cwiseQuotient(root_mass_);
  c_ /= speed;
  z_.setZero(2 * n + 1);
  z_[2 * n] = speed;
  for (double remaining = h;;) {
    const int left = limits_.substeps - outcome.substeps;
    const double error_rate = limits_.tolerance * speed / h;
    const double shortest = left > 0 ? remaining / (4.0 * left) : remaining;
    const int size = grow(motion, remaining, error_rate, outcome);
    double tau = remaining;
    Estimate now = estimate(size, tau);
    while (!(now.error <= error_rate * tau) && tau > shortest) {
      const double excess = now.error / (error_rate * tau);
      tau *= std::isfinite(excess) ? std::clamp(0.9 * std::pow(excess, -1 / now.order), 0.1, 0.9) : 0.3;
      now = estimate(size, tau);
    }
    if (left == 0 || !(tau > shortest)) return outcome.failed(too_many_substeps(limits_, h, tau));
    const double pieces = std::ceil(remaining / tau);
    if (tau < remaining) now = estimate(size, tau = remaining / pieces);
    const int used = invariant_ ? size : size + 1;
    z_.noalias() = start_length_ * (V_.leftCols(used) * small_.col(0).head(used));
    outcome.error += now.error / speed;
    ++outcome.substeps;
    if (pieces == 1) break;
    remaining -= tau;
    speed = std::max(speed, (root_mass_.cwiseProduct(motion.v) + z_.segment(n, n)).norm());
  }
  dq = z_.head(n).cwiseQuotient(root_mass_) / omega_;
  dv = z_.segment(n, n).cwiseQuotient(root_mass_);
  return outcome;
}

}  // namespace brio

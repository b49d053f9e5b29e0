#include "brio/integrate/parts/lanczos_exponential.hpp"

#include "brio/integrate/parts/modal_step.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kFirstLook = 4;

/// Sizes at which a growing space is looked at: looking costs the eigenvalues of T.
int next_look(int size) { return size + std::max(2, size / 5); }

Mode ritz_mode(RitzMotion::Start start, const ProportionalDamping& damping, double theta, double share) {
  const double d = damping.alpha + damping.beta * theta;
  return start == RitzMotion::Start::velocity ? Mode{theta, d, share, 0} : Mode{theta, d, 0, share};
}

}  // namespace

void RitzMotion::set(const Lanczos& process) {
  length_ = process.length();
  residual_ = process.residual();
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
  eigen.computeFromTridiagonal(process.diagonal(), process.off_diagonal());
  theta_ = eigen.eigenvalues();
  Y_ = eigen.eigenvectors();
}

RitzMotion::Last RitzMotion::last_coordinate(double tau) const {
  Last sums{0, 0, 0};
  const Index last = theta_.size() - 1;
  for (Index i = 0; i <= last; ++i) {
    const Mode mode = ritz_mode(start_, damping_, theta_[i], length_ * Y_(0, i));
    const ModePath path = exponential_step(mode, tau);
    sums.dq += Y_(last, i) * path.dq;
    sums.dv += Y_(last, i) * path.dv;
    sums.sum += Y_(last, i) * (path.sum + damping_.beta * (path.dq - tau * mode.a));
  }
  return sums;
}

double RitzMotion::error(double tau) const {
  if (residual_ == 0) return 0;
  // The approximation obeys the equation but for a force r(s) along the vector after the space, of size residual times
  // the last coordinate of x + beta (x' - v). The energy of the error grows by r alone (D >= 0), so its norm is at most
  // the integral of |r|, here by the trapezoidal rule; unstable directions let it grow further.
  constexpr int kSamples = 5;
  double integral = 0;
  for (int k = 1; k <= kSamples; ++k) {
    const Last at = last_coordinate(tau * k / kSamples);
    integral += std::fabs(at.dq + damping_.beta * at.dv) * (k < kSamples ? 1 : 0.5);
  }
  const double growth = std::cosh(tau * std::sqrt(std::max(0.0, -theta_[0])));
  return residual_ * integral * tau / kSamples * growth;
}

void RitzMotion::add(double tau, const Lanczos& process, VectorXd& dq, VectorXd& dv) const {
  VectorXd x(theta_.size()), u(theta_.size());
  for (Index i = 0; i < theta_.size(); ++i) {
    const ModePath path = exponential_step(ritz_mode(start_, damping_, theta_[i], length_ * Y_(0, i)), tau);
    x[i] = path.dq;
    u[i] = path.dv;
  }
  dq.noalias() += process.basis() * (Y_ * x);
  dv.noalias() += process.basis() * (Y_ * u);
  // The change of velocity is the integral of the force, K times the integral of x included, and K V is known: one term
  // beyond the space that costs nothing, and that makes the momentum of a free body exact.
  if (residual_ != 0) dv -= residual_ * last_coordinate(tau).sum * process.next();
}

void LanczosExponential::grow(Side* sides, const FrozenMotion& motion, const Budget& budget, KrylovOutcome& outcome) {
  bool grows[2];
  int look[2];
  for (int p = 0; p < 2; ++p) {
    grows[p] = sides[p].process.length() > 0;
    look[p] = sides[p].first_look;
  }
  columns_.resize(motion.mass.size(), 2);
  images_.resize(motion.mass.size(), 2);
  while (grows[0] || grows[1]) {
    const int first = grows[0] ? 0 : 1, count = grows[0] && grows[1] ? 2 : 1;
    if (count == 2) {  // one pass over K for both
      for (int p = 0; p < 2; ++p) columns_.col(p) = sides[p].process.next();
      motion.linearization.multiply_stiffness_block(columns_, images_);
    } else {
      start_ = sides[first].process.next();
      motion.linearization.multiply_stiffness(start_, image_);
      images_.col(first) = image_;
    }
    outcome.matvecs += count;
    for (int p = first; p < first + count; ++p) {
      Lanczos& process = sides[p].process;
      grows[p] = process.extend(motion.mass, images_.col(p)) && process.size() < limits_.space;
      if (grows[p] && process.size() < look[p]) continue;
      sides[p].ritz.set(process);
      if (sides[p].ritz.error(budget.longest) <= budget.error_rate * budget.longest) grows[p] = false;
      look[p] = next_look(process.size());
    }
  }
  for (int p = 0; p < 2; ++p) sides[p].first_look = std::max(kFirstLook, sides[p].process.size() / 2);
}

double LanczosExponential::reach(const Side& side, const Budget& budget) const {
  double tau = budget.longest;
  if (!(side.process.length() > 0)) return tau;
  const double order = 2.0 * side.process.size();  // the error grows with tau to about this
  while (tau > budget.shortest) {
    const double excess = side.ritz.error(tau) / (budget.error_rate * tau);
    if (excess <= 1) break;
    tau *= std::isfinite(excess) ? std::clamp(0.95 * std::pow(excess, -1 / order), 0.3, 0.95) : 0.3;
  }
  return tau;
}

KrylovOutcome LanczosExponential::advance(FrozenMotion& motion, ProportionalDamping damping, double h, VectorXd& dq,
                                          VectorXd& dv) {
  KrylovOutcome outcome;
  double speed = start_motion(motion, h, dq, dv, outcome);
  if (!(speed > 0)) return outcome;
  Side sides[2] = {{process_[0], {RitzMotion::Start::velocity, damping}},
                   {process_[1], {RitzMotion::Start::acceleration, damping}}};
  for (double remaining = h;;) {
    // Half of what may be lost goes to each process, in proportion to time. A piece so short that the rest would take
    // four times the sub-steps left is not worth starting with.
    const int left = limits_.substeps - outcome.substeps;
    const Budget budget{remaining, left > 0 ? remaining / (4.0 * left) : remaining,
                        0.5 * limits_.tolerance * speed / h};
    process_[0].begin(motion.mass, motion.v, limits_.space);
    start_ = motion.f.cwiseQuotient(motion.mass);
    process_[1].begin(motion.mass, start_, limits_.space);
    grow(sides, motion, budget, outcome);
    const double longest = std::min(reach(sides[0], budget), reach(sides[1], budget));
    if (left == 0 || !(longest > budget.shortest)) return outcome.failed(too_many_substeps(limits_, h, longest));
    const double pieces = std::ceil(remaining / longest), tau = remaining / pieces;
    piece_q_.setZero(motion.mass.size());
    piece_v_.setZero(motion.mass.size());
    for (const Side& side : sides) {
      if (!(side.process.length() > 0)) continue;
      outcome.error += side.ritz.error(tau) / speed;
      side.ritz.add(tau, side.process, piece_q_, piece_v_);
    }
    dq += piece_q_;
    dv += piece_v_;
    ++outcome.substeps;
    if (pieces == 1) return outcome;
    remaining -= tau;
    motion.v += piece_v_;
    speed = std::max(speed, std::sqrt(motion.v.dot(motion.mass.cwiseProduct(motion.v))));
    start_ = piece_q_ + damping.beta * piece_v_;
    motion.linearization.multiply_stiffness(start_, image_);
    ++outcome.matvecs;
    motion.f -= image_ + damping.alpha * motion.mass.cwiseProduct(piece_v_);
  }
}

}  // namespace brio

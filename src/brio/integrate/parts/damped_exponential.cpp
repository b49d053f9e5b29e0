#include "brio/integrate/parts/damped_exponential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr int kMostEllipseTerms = 2000;
constexpr double kPalencia = 2.4143;  // what a polynomial of J is at most over that of a number of its range

}  // namespace

void DampedExponential::prepare(const BlockMatrices& matrices, const VectorXd& mass) {
  decay_ = matrices.alpha + matrices.beta * search_(matrices.K_damping, mass).high;
  expanded_decay_ = -1;
}

void DampedExponential::expand(double tau) {
  const double decay = tau * decay_, swing = tau * swing_;
  if (decay == expanded_decay_ && swing == expanded_swing_) return;
  series_.expand(decay, swing, kMostEllipseTerms);
  expanded_decay_ = decay;
  expanded_swing_ = swing;
}

bool DampedExponential::follow(const FrozenMotion& motion, double tau, double error, double speed,
                               KrylovOutcome& outcome) {
  polynomials_.begin(motion.v, acceleration_, tau);
  polynomials_.add(series_.term(0));
  const double start = std::sqrt(polynomials_.square(motion.mass));
  double before = start;
  for (int k = 1; k < series_.size(); ++k) {
    polynomials_.next(series_);
    ++outcome.matvecs;
    // Norms are worth their time once the end may be near.
    if (tau * series_.after(k) * start > error) continue;
    const double now = std::sqrt(polynomials_.square(motion.mass));
    const double left = kPalencia * tau * series_.after(k) * std::max(now, before);
    before = now;
    if (left > error) continue;
    outcome.error += left / speed;
    polynomials_.get_sum(piece_q_, piece_v_);
    piece_q_ *= tau;
    piece_v_ *= tau;
    return true;
  }
  return false;
}

KrylovOutcome DampedExponential::advance(FrozenMotion& motion, const BlockMatrices& matrices, double h, VectorXd& dq,
                                         VectorXd& dv) {
  KrylovOutcome outcome;
  double speed = start_motion(motion, h, dq, dv, outcome);
  if (!(speed > 0)) return outcome;
  const SpectrumEnds ends = search_(matrices.K, motion.mass);
  outcome.matvecs += SpectrumSearch::kProducts;
  if (!std::isfinite(ends.high - ends.low)) return outcome.failed("the stiffness is no longer finite");
  // In steps of an eighth root of two, so that most steps find their series where the last one has left it.
  const double fastest = std::max(std::sqrt(std::max(ends.high, -ends.low)), 1 / h);
  swing_ = std::exp2(0.125 * std::ceil(8 * std::log2(fastest)));
  polynomials_.set_matrices(motion.mass, matrices.K, matrices.K_damping, matrices.alpha, matrices.beta, swing_);
  const double allowed = static_cast<double>(limits_.space) * limits_.substeps;
  const double rectangle = 0.5 * decay_ + swing_;  // about the size of the ellipse, per second
  if (std::sqrt(h * decay_) + h * swing_ > allowed)
    return outcome.failed(too_many_substeps(limits_, h, allowed / rectangle));
  int pieces = static_cast<int>(std::ceil(h * rectangle / (0.6 * kMostEllipseTerms)));
  double tau = h / pieces;
  while (true) {
    const double error = limits_.tolerance * speed * tau / h;
    acceleration_ = motion.f.cwiseQuotient(motion.mass);
    const double start =
        std::hypot(swing_ * motion_norm(motion.mass, motion.v), motion_norm(motion.mass, acceleration_));
    expand(tau);
    const auto too_large = [&](double after) { return tau * after * start > error; };
    const auto needed = std::ranges::count_if(series_.all_after(), too_large);
    if (static_cast<double>(pieces) * static_cast<double>(needed) > allowed)
      return outcome.failed(too_many_substeps(limits_, h, tau));
    // Terms much larger than their sum leave their rounding in it.
    const double rounding = std::numeric_limits<double>::epsilon() * series_.cancellation() * tau * start;
    const bool rounds = rounding > std::max(0.1 * error, 1e-12 * speed) && tau * rectangle > 1;
    if (rounds || !follow(motion, tau, error, speed, outcome)) {
      pieces *= 2;
      tau /= 2;
      continue;
    }
    dq += piece_q_;
    dv += piece_v_;
    ++outcome.substeps;
    if (--pieces == 0) return outcome;
    motion.v += piece_v_;
    speed = std::max(speed, motion_norm(motion.mass, motion.v));
    motion.linearization.multiply_stiffness(piece_q_, image_);
    motion.f -= image_;
    motion.linearization.multiply_damping(piece_v_, image_);
    motion.f -= image_;
    ++outcome.matvecs;
  }
}

}  // namespace brio

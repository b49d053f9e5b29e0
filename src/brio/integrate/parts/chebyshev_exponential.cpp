#include "brio/integrate/parts/chebyshev_exponential.hpp"

#include "brio/integrate/parts/modal_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kMostTerms = 2000;       // of a series: the nodes grow with it, and a pass over them with each term
constexpr double kMostGrowth = 8;      // of an unstable direction within a piece, as the exponent
constexpr int kMostAttempts = 30;      // to find an interval that holds the spectrum
constexpr double kCancellation = 100;  // growth from which on rounding is looked at
constexpr double kUnitRounding = 1.2e-16;

using Values = ChebyshevSeries::Values;

/// After tau, in a direction of stiffness lambda: displacement and change of velocity from a unit velocity, and both
/// from a unit acceleration.
Values motion_functions(const ProportionalDamping& damping, double tau, double lambda) {
  const double d = damping.alpha + damping.beta * lambda;
  const ModePath velocity = exponential_step({lambda, d, 1, 0}, tau);
  const ModePath acceleration = exponential_step({lambda, d, 0, 1}, tau);
  return {velocity.dq, velocity.dv, acceleration.dq, acceleration.dv};
}

ChebyshevPair::Shares shares_of(const Values& c) { return {NumberPair{c[0], c[1]}, NumberPair{c[2], c[3]}}; }

}  // namespace

void ChebyshevExponential::expand(ProportionalDamping damping, const Pieces& piece) {
  // exp(i tau omega) has about tau omega terms in omega, half as many in lambda; damping adds those of exp(-z).
  const double width = interval_.high - interval_.low, terms = 0.5 * piece.tau * std::sqrt(width);
  const double decay = 0.5 * damping.beta * width * piece.tau;
  const double guess = 1.15 * terms + 8 * std::cbrt(terms) + 6 * std::sqrt(std::min(decay, 1e6)) + 24;
  series_.expand([&](double lambda) { return motion_functions(damping, piece.tau, lambda); }, interval_.low,
                 interval_.high, piece.weight, 0.02 * piece.error,
                 static_cast<int>(std::min<double>(guess, kMostTerms)), kMostTerms);
  expanded_ = piece.tau;
}

void ChebyshevExponential::widen(const FrozenMotion& motion, int column, KrylovOutcome& outcome) {
  // The direction that has grown is the one outside, and tells how far.
  start_ = pair_.polynomial(column);
  const double width = interval_.high - interval_.low, middle = 0.5 * (interval_.high + interval_.low);
  start_ /= motion_norm(motion.mass, start_);
  motion.linearization.multiply_stiffness(start_, image_);
  ++outcome.matvecs;
  const double lambda = start_.dot(image_);
  const bool known = std::isfinite(lambda);
  if (!known || lambda > middle) interval_.high = known ? std::max(interval_.high, lambda) + 0.05 * width : 2 * width;
  if (!known || lambda < middle) interval_.low = known ? std::min(interval_.low, lambda) - 0.05 * width : -width;
  expanded_ = 0;
}

bool ChebyshevExponential::follow(const FrozenMotion& motion, ProportionalDamping damping, const Pieces& piece,
                                  double speed, KrylovOutcome& outcome) {
  pair_.begin(motion.mass, interval_.low, interval_.high, motion.v, acceleration_);
  pair_.add(shares_of(series_.term(0)));
  const NumberPair starts = pair_.squares(motion.mass);
  pair_.next(shares_of(series_.term(1)));
  // |A|^1/2 times a vector is at most as long as (A + 2 |low|)^1/2 times it, which the first polynomial tells.
  const NumberPair products = pair_.products_with_last(motion.mass);
  const double width = interval_.high - interval_.low, middle = interval_.high + interval_.low;
  const NumberPair strained = 0.5 * (width * products + middle * starts) - 2 * interval_.low * starts;
  const auto root = [](double square) { return std::sqrt(std::max(0.0, square)); };
  const Values weight(root(strained[0]), root(starts[0]), root(strained[1]), root(starts[1]));
  // What is left out counts twice, since the end makes up for it at 0. Where polynomials grow it counts for more: a few
  // further terms are a cure for a little of that.
  int terms = std::clamp(series_.terms_for(weight, 0.4 * piece.error), 2, series_.size() - 1), done = 2;
  double error = 0;
  for (bool enough = false; !enough;) {
    for (; done < terms; ++done) pair_.next(shares_of(series_.term(done)));
    const NumberPair squares = pair_.squares(motion.mass);
    const auto growth = [&](int i) { return starts[i] > 0 ? std::sqrt(squares[i] / starts[i]) : 0; };
    const int larger = growth(1) > growth(0) ? 1 : 0;
    const double most = std::max(1.0, growth(larger)), rate = std::acosh(most) / (terms - 1);
    const auto error_after = [&](int count) { return 2 * (weight * series_.after(count - 1, rate)).sum(); };
    const int further = std::min(terms + 4 + terms / 8, series_.size() - 1);
    const bool cancels = most > kCancellation && kUnitRounding * most * speed > piece.error;
    if (!std::isfinite(squares[0] + squares[1]) || cancels || error_after(further) > 0.5 * piece.error) {
      outcome.matvecs += 2 * (terms - 1);
      widen(motion, larger, outcome);
      return false;
    }
    error = error_after(terms);
    enough = error <= piece.error;
    if (!enough) terms = further;
  }
  outcome.matvecs += 2 * (terms - 1);
  outcome.error += error / speed;
  pair_.get_sums(piece_q_, piece_v_);
  // Exact at lambda = 0: what moves rigidly keeps its momentum, however loose the tolerance.
  const Values missing = motion_functions(damping, piece.tau, 0) - series_.at(0, terms);
  piece_q_ += missing[0] * motion.v + missing[2] * acceleration_;
  piece_v_ += missing[1] * motion.v + missing[3] * acceleration_;
  return true;
}

bool ChebyshevExponential::plan(const FrozenMotion& motion, ProportionalDamping damping, double h, double speed,
                                Pieces& pieces) {
  const double velocity = motion_norm(motion.mass, motion.v), acceleration = motion_norm(motion.mass, acceleration_);
  // What a unit of each series is worth in the energy norm.
  const double omega = std::sqrt(std::max(interval_.high, -interval_.low));
  pieces.weight = Values(omega * velocity, velocity, omega * acceleration, acceleration);
  const double most = static_cast<double>(limits_.space) * limits_.substeps;
  const double passes_per_second = 0.5 * std::sqrt(interval_.high - interval_.low);
  // What a force displaces is tau^2/2 where nothing is stiff, and 1/omega^2 at the other end: the series has the
  // rounding of the former.
  const double rounding = 80 * kUnitRounding * h * passes_per_second;
  const double longest = std::clamp(limits_.tolerance / rounding, 4.0, 0.75 * kMostTerms);
  for (;; pieces.left *= 2, pieces.tau /= 2) {
    if (pieces.left * pieces.tau * passes_per_second > most) return false;
    if (pieces.tau * passes_per_second > longest || pieces.tau * std::sqrt(-interval_.low) > kMostGrowth) continue;
    pieces.error = speed * std::max(limits_.tolerance * pieces.tau / h, 8 * kUnitRounding);
    const auto terms = [&] { return std::max(2, series_.terms_for(pieces.weight, 0.25 * pieces.error)); };
    const auto enough = [&] { return terms() <= series_.size() - series_.size() / 8; };
    if (pieces.tau != expanded_ || !enough()) expand(damping, pieces);
    if (static_cast<double>(pieces.left) * terms() > most) return false;
    if (enough()) return true;
  }
}

KrylovOutcome ChebyshevExponential::advance(FrozenMotion& motion, const BlockMatrix& K, ProportionalDamping damping,
                                            double h, VectorXd& dq, VectorXd& dv) {
  KrylovOutcome outcome;
  double speed = start_motion(motion, h, dq, dv, outcome);
  if (!(speed > 0)) return outcome;
  interval_ = search_(K, motion.mass);
  outcome.matvecs += SpectrumSearch::kProducts;
  // Some width is needed where there is no stiffness, or none that is positive.
  interval_.high = std::max({interval_.high, -1e-3 * interval_.low, 1e-6 / (h * h)});
  expanded_ = 0;
  pair_.set_matrix(K);
  Pieces pieces;
  pieces.tau = h;
  for (int attempts = 0;;) {
    if (!std::isfinite(interval_.high - interval_.low)) return outcome.failed("the stiffness is no longer finite");
    acceleration_ = motion.f.cwiseQuotient(motion.mass);
    if (!plan(motion, damping, h, speed, pieces)) return outcome.failed(too_many_products(h));
    if (!follow(motion, damping, pieces, speed, outcome)) {
      if (++attempts == kMostAttempts)
        return outcome.failed("no interval was found that holds the spectrum of the stiffness");
      continue;
    }
    dq += piece_q_;
    dv += piece_v_;
    ++outcome.substeps;
    if (--pieces.left == 0) return outcome;
    motion.v += piece_v_;
    speed = std::max(speed, motion_norm(motion.mass, motion.v));
    start_ = piece_q_ + damping.beta * piece_v_;
    motion.linearization.multiply_stiffness(start_, image_);
    ++outcome.matvecs;
    motion.f -= image_ + damping.alpha * motion.mass.cwiseProduct(piece_v_);
  }
}

std::string ChebyshevExponential::too_many_products(double h) const {
  return fmt::format(
      "a step of {:.3g} s has h omega = {:.3g} and needs more passes over the stiffness than the {} vectors times {} "
      "sub-steps allowed. Shorten the step, raise integrator.space or integrator.substeps, or take siere or ksiere, "
      "whose cost does not grow with the stiffness",
      h, h * std::sqrt(interval_.high), limits_.space, limits_.substeps);
}

}  // namespace brio

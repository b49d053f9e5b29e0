#include "brio/optimize/quasi_newton.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/linalg/tall_products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

class LbfgsDirection : public Direction {
 public:
  LbfgsDirection(int window, bool scaled) : memory_(window, scaled) {}
  void restart() override { memory_.clear(); }
  double find(StageProblem& problem, ApproximateHessian& hessian, const VectorXd& g, VectorXd& d) override {
    p_ = g;
    hessian.solve(problem, p_);
    return memory_.find_direction(g, p_, d);
  }
  void took(double length) override { memory_.took(length); }

 private:
  Lbfgs memory_;
  VectorXd p_;
};

class ChebyshevDirection : public Direction {
 public:
  explicit ChebyshevDirection(double rho) : rho_(rho) {}
  void restart() override {
    iteration_ = 0;
    last_step_.resize(0);
  }
  double find(StageProblem& problem, ApproximateHessian& hessian, const VectorXd& g, VectorXd& d) override {
    constexpr int kOff = 10;
    d = -g;
    hessian.solve(problem, d);
    ++iteration_;
    if (iteration_ >= kOff && last_step_.size() == d.size()) {
      omega_ = iteration_ == kOff ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * omega_);
      // omega (y + d - y_before) + y_before - y, with y - y_before the last step
      d = omega_ * d + (omega_ - 1) * last_step_;
    }
    last_step_ = d;
    return parallel_dot(g, d);
  }
  void took(double length) override { last_step_ *= length; }

 private:
  double rho_, omega_ = 1;
  int iteration_ = 0;
  VectorXd last_step_;
};

/// By which factor to shorten a step along which the objective rose by `rise`, while its slope there had promised a
/// fall by -`slope`: to the minimum of the parabola, but neither by less than half, as the paper does, nor by more than
/// to a tenth (Nocedal and Wright 2006, section 3.5).
double shorter(double rise, double slope) {
  const double at_minimum = -slope / (2 * (rise - slope));
  return std::isfinite(at_minimum) ? std::clamp(at_minimum, 0.1, 0.5) : 0.1;
}

}  // namespace

std::unique_ptr<Direction> lbfgs_direction(int window, bool scaled) {
  return std::make_unique<LbfgsDirection>(window, scaled);
}
std::unique_ptr<Direction> chebyshev_direction(double rho) { return std::make_unique<ChebyshevDirection>(rho); }

int iterations_needed(const ProjectiveFit& fit) {
  // Bars of nu = 0.49 to 0.4999 that swing by their own length end within 0.2 % of Newton's with so many.
  constexpr double kPerRoot = 4;
  return static_cast<int>(std::ceil(kPerRoot / std::sqrt(fit.least)));
}

void QuasiNewton::prepare(StageProblem& problem) {
  hessian_->bind(problem);
  fit_ = hessian_->fit(problem);
  iterations_ = options_.iterations;
  if (options_.more_iterations && line_search_) iterations_ = std::max(iterations_, iterations_needed(fit_));
}

SolveReport QuasiNewton::solve(StageProblem& problem, VectorXd& y) {
  SolveReport report;
  if (!hessian_->prepare(problem, y, report)) return report;
  direction_->restart();
  Stopwatch watch;
  if (!options_.from_guess) y = problem.stage().y_hat;
  problem.freeze_load(y);
  double value = problem.evaluate(y, gradient_);
  report.assembly_s += watch.lap();
  while (true) {
    report.residual = problem.size(gradient_);
    if (!std::isfinite(report.residual)) return report;
    const bool last = report.iterations == iterations_;
    report.converged =
        problem.solved(report.residual, options_.tolerance, y) || (last && problem.is_noise(report.residual, y));
    if (report.converged) return report;
    if (last) return give_up(problem, report);
    double slope = direction_->find(problem, *hessian_, gradient_, d_);
    ++report.solves;
    if (!(slope < 0)) {  // what was remembered points uphill: forget it
      direction_->restart();
      slope = direction_->find(problem, *hessian_, gradient_, d_);
      ++report.solves;
    }
    report.solve_s += watch.lap();
    if (options_.accept_unconverged && !line_search_ && report.iterations + 1 == iterations_) {
      y += d_;
      ++report.iterations;
      if (!y.allFinite()) report.residual = std::numeric_limits<double>::quiet_NaN();
      problem.tell_iterate(y);
      return give_up(problem, report);
    }
    const double length = search(problem, y, slope, value, report);
    if (length == 0) {
      report.converged = problem.is_noise(report.residual, y);
      return report.converged ? report : give_up(problem, report);
    }
    watch.lap();
    ++report.iterations;
    direction_->took(length);
    y.swap(trial_);
    gradient_.swap(next_gradient_);
    value += problem.renew_load(y, gradient_);
    problem.tell_iterate(y);
    watch.lap();
  }
}

SolveReport QuasiNewton::give_up(const StageProblem& problem, SolveReport report) const {
  // Against what the matrix is too stiff for, a direction goes only so far of the way.
  report.undone = problem.speed(d_) / fit_.least;
  return report;
}

double QuasiNewton::search(StageProblem& problem, const VectorXd& y, double slope, double& value, SolveReport& report) {
  constexpr double kArmijo = 0.3, kShortest = 1e-10;  // [QN] section 4.1
  Stopwatch watch;
  for (double length = 1; length > kShortest;) {
    trial_ = y + length * d_;
    const double there = problem.evaluate(trial_, next_gradient_);
    ++report.evaluations;
    report.assembly_s += watch.lap();
    // Near the minimum the decrease drowns in the round-off of the objective; there the full step is the best there is.
    const double round_off = 1e-14 * problem.objective_scale();
    if (!line_search_ || there <= value + kArmijo * length * slope + round_off) {
      value = there;
      return length;
    }
    length *= shorter(there - value, length * slope);
  }
  return 0;
}

}  // namespace brio

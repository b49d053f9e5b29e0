#include "brio/optimize/quasi_newton.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/linalg/tall_products.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

class LbfgsDirection : public Direction {
 public:
  explicit LbfgsDirection(int window) : memory_(window) {}
  void restart() override { memory_.clear(); }
  void find(StageProblem& problem, RoughHessian& hessian, VectorXd& d) override {
    memory_.before_solve(d);
    hessian.solve(problem, memory_.inverse_curvature(), d);
    memory_.after_solve(d);
  }
  void took(const VectorXd& s, const VectorXd& t) override { memory_.remember(s, t); }

 private:
  Lbfgs memory_;
};

class ChebyshevDirection : public Direction {
 public:
  explicit ChebyshevDirection(double rho) : rho_(rho) {}
  void restart() override {
    iteration_ = 0;
    last_step_.resize(0);
  }
  void find(StageProblem& problem, RoughHessian& hessian, VectorXd& d) override {
    constexpr int kOff = 10;
    hessian.solve(problem, 0, d);
    ++iteration_;
    if (iteration_ < kOff || last_step_.size() != d.size()) return;
    omega_ = iteration_ == kOff ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * omega_);
    // omega (y + d - y_before) + y_before - y, with y - y_before the last step
    d = omega_ * d + (omega_ - 1) * last_step_;
  }
  void took(const VectorXd& s, const VectorXd&) override { last_step_ = s; }

 private:
  double rho_, omega_ = 1;
  int iteration_ = 0;
  VectorXd last_step_;
};

}  // namespace

std::unique_ptr<Direction> lbfgs_direction(int window) { return std::make_unique<LbfgsDirection>(window); }
std::unique_ptr<Direction> chebyshev_direction(double rho) { return std::make_unique<ChebyshevDirection>(rho); }

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
    report.converged = report.residual <= std::max(options_.tolerance, problem.round_off());
    if (report.converged || report.iterations == options_.iterations) return report;
    const auto find_direction = [&] {
      d_ = -gradient_;
      direction_->find(problem, *hessian_, d_);
      ++report.solves;
      return parallel_dot(gradient_, d_);
    };
    double slope = find_direction();
    if (!(slope < 0)) {  // what was remembered points uphill: forget it
      direction_->restart();
      slope = find_direction();
    }
    report.solve_s += watch.lap();
    if (!search(problem, y, slope, value, report)) return report;
    watch.lap();
    ++report.iterations;
    s_ = trial_ - y;
    gradient_ = next_gradient_ - gradient_;
    direction_->took(s_, gradient_);
    y.swap(trial_);
    gradient_.swap(next_gradient_);
    report.solve_s += watch.lap();
    value += problem.renew_load(y, gradient_);
    problem.tell_iterate(y);
    watch.lap();
  }
}

bool QuasiNewton::search(StageProblem& problem, const VectorXd& y, double slope, double& value, SolveReport& report) {
  constexpr double kArmijo = 0.3, kShortest = 1e-10;  // [quasi-newton] section 4.1
  Stopwatch watch;
  for (double length = 1; length > kShortest; length /= 2) {
    trial_ = y + length * d_;
    const double there = problem.evaluate(trial_, next_gradient_);
    ++report.evaluations;
    report.assembly_s += watch.lap();
    // Near the minimum the decrease drowns in the round-off of the objective; there the full step is the best there is.
    const double round_off = 1e-14 * problem.objective_scale();
    if (!line_search_ || there <= value + kArmijo * length * slope + round_off) {
      value = there;
      return true;
    }
  }
  return false;
}

}  // namespace brio

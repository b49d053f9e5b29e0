#include "brio/optimize/static_solve.hpp"

#include "brio/optimize/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFarthest = 1e3;  // body lengths: what has gone so far is held by nothing

/// A stage without inertia and without velocities.
Stage stage_at_rest(double t, Index dofs) {
  constexpr double kForEver = std::numeric_limits<double>::infinity();
  const VectorXd zero = VectorXd::Zero(dofs);
  return {t, kForEver, kForEver, zero, zero, zero, {}};
}

class StaticSolve {
 public:
  StaticSolve(const System& system, double t, const VectorXd& unloaded, VectorXd& q)
      : stage_(stage_at_rest(t, system.dofs())), problem_(system), unloaded_(unloaded), q_(q) {
    problem_.set(stage_);
    MatrixX3d x;
    system.positions(t, unloaded, x);
    size_ = reach_ = (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
    if (!(size_ > 0)) size_ = reach_ = 1;
    report_.load = load();
  }

  StaticReport go(const StaticLimits& limits, const std::function<bool(const StaticIterate&)>& on_iterate) {
    double length = 0;
    while (true) {
      problem_.assemble(q_, Psd::none, residual_);
      report_.residual = report_.load > 0 ? residual_.lpNorm<1>() / report_.load : 0;
      if (!std::isfinite(report_.residual)) return end(StaticStatus::stuck);
      const bool go_on = !on_iterate || on_iterate({report_.iterations, q_, report_.residual, length});
      if (report_.residual <= limits.tolerance) return end(StaticStatus::converged);
      if (!go_on) return end(StaticStatus::stopped);
      if ((q_ - unloaded_).lpNorm<Eigen::Infinity>() > kFarthest * size_) return end(StaticStatus::escaped);
      if (report_.iterations == limits.iterations) return end(StaticStatus::out_of_iterations);
      if (!find_direction()) return end(StaticStatus::stuck);
      if (invisible(direction_)) return end(StaticStatus::converged);
      length = search_line(problem_, direction_, residual_.dot(direction_), q_, trial_);
      if (length == 0) return end(StaticStatus::stuck);
      // A shifted step that went all the way may go further next time.
      reach_ = shift_ > 0 && length == 1 ? 4 * reach_ : size_;
      ++report_.iterations;
    }
  }

 private:
  /// Sum of the forces that the internal ones have to balance, 0 when they are round-off [N].
  double load() {
    for (const VectorXd* shape : {&unloaded_, static_cast<const VectorXd*>(&q_)}) {
      problem_.assemble(*shape, Psd::none, residual_);
      const double sum = residual_.lpNorm<1>();
      const double largest = std::max(size_, shape->lpNorm<Eigen::Infinity>());
      const double round_off = kEpsilon / 4 * stiffness() * largest;  // a quarter: rounding errors cancel in part
      if (!(sum <= round_off)) return sum;
    }
    return 0;
  }

  /// Sum of the forces against a displacement by 1 m to and fro, with the stiffness of the last assemble() [N/m].
  double stiffness() {
    VectorXd zigzag(q_.size()), force;
    for (Index i = 0; i < zigzag.size(); ++i) zigzag[i] = i % 2 == 0 ? 1 : -1;
    problem_.linearization().multiply_stiffness(zigzag, force);
    return force.lpNorm<1>();
  }

  bool factor(double shift) {
    ++report_.factorizations;
    return problem_.factor(shift) == FactorStatus::ok;
  }

  bool find_direction() {
    shift_ = 0;
    bool found = factor(0);
    if (!found) {
      ++report_.projections;
      problem_.assemble(q_, Psd::clamp, residual_);
      found = factor(0);
    }
    if (!found) {
      // The shift with which a body that nothing holds moves by its reach.
      const VectorXd& mass = problem_.system().mass();
      shift_ = (residual_.array() / mass.array()).abs().maxCoeff() / reach_;
      for (int tries = 0; tries < 8 && !found; ++tries, shift_ *= 100) {
        ++report_.shifts;
        found = factor(shift_);
      }
    }
    if (!found) return false;
    direction_ = -residual_;
    problem_.solve(direction_);
    return direction_.allFinite();
  }

  /// A step that changes no more than the last digits of the positions: the forces are as balanced as numbers allow.
  bool invisible(const VectorXd& step) const {
    const double largest = std::max(size_, q_.lpNorm<Eigen::Infinity>());
    return shift_ == 0 && step.lpNorm<Eigen::Infinity>() <= 4 * kEpsilon * largest;
  }

  StaticReport end(StaticStatus status) {
    report_.status = status;
    if (status == StaticStatus::converged) {
      problem_.assemble(q_, Psd::none, residual_);
      // A shift far below the body's own stiffness: motions that nothing resists are not unstable.
      report_.stable = factor(1e-9 * stiffness() / problem_.system().mass().sum());
    }
    return report_;
  }

  Stage stage_;
  StageProblem problem_;
  const VectorXd& unloaded_;
  VectorXd& q_;
  double size_ = 0, reach_ = 0, shift_ = 0;
  VectorXd residual_, direction_, trial_;
  StaticReport report_;
};

}  // namespace

StaticReport solve_static(const System& system, double t, const VectorXd& unloaded, const StaticLimits& limits,
                          const std::function<bool(const StaticIterate&)>& on_iterate, VectorXd& q) {
  return StaticSolve(system, t, unloaded, q).go(limits, on_iterate);
}

}  // namespace brio

#include "brio/optimize/relax.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/system/rigid_acceleration.hpp"

#include <cmath>

namespace brio {
namespace {

double extent(const System& system) {
  MatrixX3d X;
  system.positions(0, system.rest(), X);
  const double size = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
  return size > 0 ? size : 1;
}

class Relaxation {
 public:
  Relaxation(const System& system, PinnableLinearization& lin, double t, const std::vector<int>& held, VectorXd& q)
      : system_(system), lin_(lin), t_(t), held_(held), q_(q), size_(extent(system)) {}

  RelaxReport go(const RelaxLimits& limits) {
    const VectorXd still = VectorXd::Zero(system_.dofs());
    watch_.lap();
    while (report_.iterations < limits.iterations && !report_.converged) {
      system_.load(t_, q_, still, load_);
      if (!find_direction()) break;
      const double longest = step_.lpNorm<Eigen::Infinity>();
      // A step that short drowns in the round-off of the energy, which cannot judge it: it is taken whole.
      report_.converged = longest <= limits.tolerance * size_ && !shifted_;
      if (report_.converged) {
        q_ += step_;
      } else if (!search_line()) {
        break;
      }
      ++report_.iterations;
    }
    report_.other_s += watch_.lap();
    return report_;
  }

 private:
  bool factor(double shift) {
    ++report_.factorizations;
    const bool ok = lin_.factor_pinned(held_, shift) == FactorStatus::ok;
    report_.factor_s += watch_.lap();
    return ok;
  }

  void assemble(Psd psd) {
    report_.other_s += watch_.lap();
    lin_.assemble(t_, q_, psd, gradient_);
    report_.assembly_s += watch_.lap();
  }

  bool find_direction() {
    assemble(Psd::none);
    if (!gradient_.allFinite()) return false;
    bool found = factor(0);
    if (!found) {
      ++report_.projections;
      assemble(Psd::clamp);
      found = factor(0);
    }
    step_ = load_ - gradient_;
    take_out_rigid_acceleration(system_, q_, step_, rigid_);
    for (int point : held_) step_.segment<3>(3 * point).setZero();
    step_.tail(lin_.joint_dofs()).setZero();
    shifted_ = !found;
    if (!found) {
      // With this much of the mass, what nothing holds moves by no more than the body's size.
      double shift = (step_.array() / system_.mass().array()).abs().maxCoeff() / size_;
      for (int tries = 0; tries < 8 && !found; ++tries, shift *= 100) {
        ++report_.shifts;
        found = factor(shift);
      }
    }
    if (!found) return false;
    force_ = step_;
    lin_.solve(step_);
    report_.solve_s += watch_.lap();
    slope_ = -force_.dot(step_);
    return step_.allFinite();
  }

  double objective(const VectorXd& q) {
    const Potentials p = system_.potentials(t_, q);
    const double work = (load_ - rigid_).dot(q);
    round_off_ = 1e-14 * (std::fabs(p.elastic) + std::fabs(p.gravity) + std::fabs(p.contact) + std::fabs(work));
    return p.total() - work;
  }

  /// Backtracking as in optimize/line_search.hpp.
  bool search_line() {
    constexpr double kArmijo = 1e-4, kShortest = 1e-10;
    const double start = objective(q_);
    for (double length = 1; length > kShortest; length /= 2) {
      trial_ = q_ + length * step_;
      if (!(objective(trial_) <= start + kArmijo * length * slope_ + round_off_)) continue;
      q_.swap(trial_);
      return true;
    }
    return false;
  }

  const System& system_;
  PinnableLinearization& lin_;
  double t_;
  const std::vector<int>& held_;
  VectorXd& q_;
  double size_;
  bool shifted_ = false;
  double slope_ = 0, round_off_ = 0;
  VectorXd gradient_, load_, rigid_, force_, step_, trial_;
  RelaxReport report_;
  Stopwatch watch_;
};

}  // namespace

RelaxReport relax(const System& system, PinnableLinearization& lin, double t, const std::vector<int>& held,
                  const RelaxLimits& limits, VectorXd& q) {
  return Relaxation(system, lin, t, held, q).go(limits);
}

}  // namespace brio

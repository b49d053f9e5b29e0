#include "brio/optimize/newton.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/optimize/line_search.hpp"

#include <cmath>
#include <limits>

namespace brio {
namespace {

void assemble(StageProblem& problem, const VectorXd& y, Psd psd, VectorXd& residual, SolveReport& report) {
  Stopwatch watch;
  problem.assemble(y, psd, residual);
  report.assembly_s += watch.lap();
}

bool factor(StageProblem& problem, SolveReport& report) {
  Stopwatch watch;
  const bool ok = problem.factor() == FactorStatus::ok;
  ++report.factorizations;
  report.factor_s += watch.lap();
  return ok;
}

/// False where the matrix turns out not to be positive definite, as iterations find out only then.
bool solve_linear(StageProblem& problem, VectorXd& x, SolveReport& report) {
  Stopwatch watch;
  problem.solve(x);
  ++report.solves;
  report.solve_s += watch.lap();
  return problem.linearization().status() == FactorStatus::ok;
}

/// Whether the last iteration has hardly reduced the residual. Near a solution it is squared each time, so that then it
/// may be all noise.
bool stalled(const SolveReport& report, double before) { return report.iterations > 0 && report.residual > before / 2; }

}  // namespace

SolveReport Newton::solve(StageProblem& problem, VectorXd& y) {
  constexpr int kPatience = 3;  // [ERE] section 5.3
  SolveReport report;
  double best = 0, before = 0;
  int since_best = 0;
  while (true) {
    assemble(problem, y, Psd::none, residual_, report);
    report.residual = problem.size(residual_);
    if (!std::isfinite(report.residual)) return report;
    report.converged = problem.solved(report.residual, options_.tolerance, y) ||
                       (stalled(report, before) && problem.is_noise(report.residual, y));
    if (report.converged || report.iterations == options_.iterations) return report;
    before = report.residual;
    if (report.iterations == 0 || report.residual < best) {
      best = report.residual;
      since_best = 0;
    } else if (++since_best == kPatience) {
      return report;
    }
    if (!factor(problem, report) || !solve_linear(problem, residual_, report)) {
      // Where the true matrix is indefinite its projection still points downhill.
      ++report.projections;
      assemble(problem, y, Psd::clamp, residual_, report);
      if (!factor(problem, report) || !solve_linear(problem, residual_, report)) return report;
    }
    report.undone = problem.speed(residual_);
    y -= residual_;
    ++report.iterations;
    problem.tell_iterate(y);
  }
}

void NewtonDescent::prepare(StageProblem& problem) {
  // A direction needs few digits; far from the minimum more of them buy nothing ([QN] figures 16 and 17 cut
  // off after 5 to 15 iterations).
  if (linear_ == Linear::conjugate_gradients) problem.solve_by_iterations(1e-2, 100);
}

SolveReport NewtonDescent::solve(StageProblem& problem, VectorXd& y) {
  SolveReport report;
  constexpr double kAny = std::numeric_limits<double>::infinity();
  double before = 0, limit = kAny;
  while (true) {
    assemble(problem, y, Psd::clamp, residual_, report);
    report.residual = problem.size(residual_);
    if (!(report.residual < limit)) {
      if (limit < kAny) y = trial_, report.residual = limit;
      return report;
    }
    limit = kAny;
    report.converged = problem.solved(report.residual, options_.tolerance, y) ||
                       (stalled(report, before) && problem.is_noise(report.residual, y));
    if (report.converged || report.iterations == options_.iterations) return report;
    before = report.residual;
    if (!factor(problem, report)) return report;
    direction_ = -residual_;
    solve_linear(problem, direction_, report);
    report.undone = problem.speed(direction_);
    ++report.iterations;
    Stopwatch watch;
    const double moved = search_line(problem, direction_, residual_.dot(direction_), y, trial_);
    report.assembly_s += watch.lap();
    if (moved == 0) {
      report.converged = problem.is_noise(report.residual, y);
      if (report.converged) return report;
      // Where the energy is a small difference of large numbers it cannot tell what the residual still can.
      trial_ = y;
      y += direction_;
      limit = report.residual;
    }
    problem.tell_iterate(y);
  }
}

}  // namespace brio

#include "brio/optimize/newton.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/optimize/line_search.hpp"

#include <algorithm>
#include <cmath>

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

void solve_linear(StageProblem& problem, VectorXd& x, SolveReport& report) {
  Stopwatch watch;
  problem.solve(x);
  ++report.solves;
  report.solve_s += watch.lap();
}

}  // namespace

SolveReport Newton::solve(StageProblem& problem, VectorXd& y) {
  constexpr int kPatience = 3;  // [ERE] section 5.3
  SolveReport report;
  double best = 0;
  int since_best = 0;
  while (true) {
    assemble(problem, y, Psd::none, residual_, report);
    report.residual = problem.size(residual_);
    if (!std::isfinite(report.residual)) return report;
    report.converged = report.residual <= std::max(options_.tolerance, problem.round_off());
    if (report.converged || report.iterations == options_.iterations) return report;
    if (report.iterations == 0 || report.residual < best) {
      best = report.residual;
      since_best = 0;
    } else if (++since_best == kPatience) {
      return report;
    }
    if (!factor(problem, report)) {
      // Where the true matrix is indefinite its projection still points downhill.
      ++report.projections;
      assemble(problem, y, Psd::clamp, residual_, report);
      if (!factor(problem, report)) return report;
    }
    solve_linear(problem, residual_, report);
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
  while (true) {
    assemble(problem, y, Psd::clamp, residual_, report);
    report.residual = problem.size(residual_);
    if (!std::isfinite(report.residual)) return report;
    report.converged = report.residual <= std::max(options_.tolerance, problem.round_off());
    if (report.converged || report.iterations == options_.iterations) return report;
    if (!factor(problem, report)) return report;
    direction_ = -residual_;
    solve_linear(problem, direction_, report);
    ++report.iterations;
    Stopwatch watch;
    const double moved = search_line(problem, direction_, residual_.dot(direction_), y, trial_);
    report.assembly_s += watch.lap();
    if (moved == 0) return report;
    problem.tell_iterate(y);
  }
}

}  // namespace brio

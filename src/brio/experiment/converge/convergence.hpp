#pragma once
// How fast the solvers of an implicit step approach its minimum: [QN] figures 7, 8, 13 and 15 to 17, for any
// system and state.

#include "brio/optimize/stage_solver.hpp"

#include <string>
#include <vector>

namespace brio {

struct SolverChoice {
  std::string name;  ///< for people
  const StageSolverEntry* row;
  SolverOptions options;
};

struct ConvergenceCurve {
  std::string name;
  std::vector<double> seconds;        ///< until after each iteration, the least of three rounds; entry 0 is the start
  std::vector<double> round_seconds;  ///< of all iterations, in each of the rounds
  std::vector<double> error;          ///< [QN] eq. 12: (g(x) - g(x*)) / (g(x0) - g(x*)), with x0 where inertia leads
};

struct ConvergenceStudy {
  double start = 0, minimum = 0;  ///< the objective at x0 and, found by Newton's method, its minimum [J]
  int newton_iterations = 0;      ///< that the minimum took
  std::vector<ConvergenceCurve> curves;
};

/// The solvers on a backward Euler step of length h from the state. What a solver factors once for all steps is not
/// counted. Throws Error when Newton's method does not find the minimum.
ConvergenceStudy study_convergence(const System& system, const State& state, double h,
                                   const std::vector<SolverChoice>& solvers);

}  // namespace brio

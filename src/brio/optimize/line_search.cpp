#include "brio/optimize/line_search.hpp"

namespace brio {

double search_line(StageProblem& problem, const VectorXd& direction, double slope, VectorXd& y, VectorXd& trial) {
  constexpr double kArmijo = 1e-4, kShortest = 1e-10;
  const double start = problem.objective(y);
  // Near the minimum the decrease drowns in the round-off of the objective; there the full step is the best there is.
  const double round_off = 1e-14 * problem.objective_scale();
  for (double length = 1; length > kShortest; length /= 2) {
    trial = y + length * direction;
    if (problem.objective(trial) <= start + kArmijo * length * slope + round_off) {
      y.swap(trial);
      return length;
    }
  }
  return 0;
}

}  // namespace brio

#include "brio/optimize/line_search.hpp"

namespace brio {

double search_line(StageProblem& problem, const VectorXd& direction, double slope, VectorXd& y, VectorXd& trial) {
  constexpr double kArmijo = 1e-4, kShortest = 1e-10;
  const double start = problem.objective(y);
  // Near the minimum the decrease drowns in the round-off of the objective; there the full step is the best there is.
  // Laws whose energy at rest is a difference of large numbers (neo-Hookean, Mooney-Rivlin) round more coarsely than
  // their energy shows, so a promise that small is not even compared.
  const double round_off = 1e-14 * problem.objective_scale();
  const bool drowned = -slope < 1e-12 * problem.objective_scale();
  for (double length = 1; length > kShortest; length /= 2) {
    trial = y + length * direction;
    if (drowned || problem.objective(trial) <= start + kArmijo * length * slope + round_off) {
      y.swap(trial);
      return length;
    }
  }
  return 0;
}

}  // namespace brio

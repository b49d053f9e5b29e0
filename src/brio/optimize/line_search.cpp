#include "brio/optimize/line_search.hpp"

namespace brio {

double search_line(StageProblem& problem, const VectorXd& direction, double slope, VectorXd& y, VectorXd& trial) {
  constexpr double kArmijo = 1e-4, kShortest = 1e-10;
  const double start = problem.objective(y);
  // Near the minimum the decrease drowns in the round-off of the objective; there the full step is the best there is.
  // Laws whose energy at rest is a difference of large numbers (neo-Hookean, Mooney-Rivlin) round more coarsely than
  // their energy shows, which matters once hardly any decrease is promised.
  const double scale = problem.objective_scale();
  const double round_off = (-slope < 1e-12 * scale ? 1e-9 : 1e-14) * scale;
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

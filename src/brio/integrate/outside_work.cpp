#include "brio/integrate/outside_work.hpp"

namespace brio {

double outside_work(const System& system, const State& before, double potential_before, const State& after,
                    double potential_after) {
  VectorXd first, last;
  system.load(before.t, before.q, before.v, first);
  system.load(after.t, after.q, after.v, last);
  double work = 0.5 * (first + last).dot(after.q - before.q);
  if (system.time_dependent()) {
    const double moved_before = system.potentials(after.t, before.q).total() - potential_before;
    const double moved_after = potential_after - system.potentials(before.t, after.q).total();
    work += 0.5 * (moved_before + moved_after);
  }
  return work;
}

}  // namespace brio

#include "brio/integrate/parts/outside_work.hpp"

namespace brio {

void OutsideWork::begin(const System& system, const State& before, double potential, double end) {
  system_ = &system;
  before_ = &before;
  system.working_load(before.t, before.q, before.v, load_);
  if (system.time_dependent()) moved_ = system.potential_change(before.t, potential, end, before.q);
}

double OutsideWork::until(const State& after, double potential) {
  system_->working_load(after.t, after.q, after.v, load_after_);
  double work = 0.5 * (load_ + load_after_).dot(after.q - before_->q);
  if (system_->time_dependent())
    work += 0.5 * (moved_ - system_->potential_change(after.t, potential, before_->t, after.q));
  return work;
}

}  // namespace brio

#include "brio/integrate/parts/outside_work.hpp"

namespace brio {

void OutsideWork::begin(const System& system, const State& before, double potential, double end) {
  system_ = &system;
  before_ = &before;
  if (system.time_dependent()) moved_ = system.potential_change(before.t, potential, end, before.q);
}

double OutsideWork::until(const State& after, double potential) {
  double work = 0;
  if (system_->loaded()) {
    q_ = 0.5 * (before_->q + after.q);
    v_ = 0.5 * (before_->v + after.v);
    system_->working_load(0.5 * (before_->t + after.t), q_, v_, load_);
    work = load_.dot(after.q - before_->q);
  }
  if (system_->time_dependent())
    work += 0.5 * (moved_ - system_->potential_change(after.t, potential, before_->t, after.q));
  return work;
}

}  // namespace brio

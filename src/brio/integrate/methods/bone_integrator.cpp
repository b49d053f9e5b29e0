#include "brio/integrate/methods/bone_integrator.hpp"

#include "brio/core/error.hpp"

#include <numbers>

namespace brio {

StepReport BoneIntegrator::step(const System& system, State& state, double h) {
  if (&system != &chart_.nodal()) throw Error("this integrator was made for another system of bones");
  State local = chart_.enter(state);
  if (remembers_) local.memory = state.memory;
  StepReport report = method_->step(chart_, local, h);
  if (report.status != StepStatus::ok) return report;
  if (const double turn = chart_.largest_turn(local); !(turn < std::numbers::pi)) {
    report.status = StepStatus::diverged;
    report.reason = fmt::format("a joint turned by {:.3g} rad in one step, more than half a turn", turn);
    return report;
  }
  chart_.leave(local, state);
  if (remembers_) state.memory = std::move(local.memory);
  return report;
}

void BoneIntegrator::on_velocity_impulse(State& state, const VectorXd&) const {
  State rigid;
  chart_.leave(chart_.enter(state), rigid);
  state.v.swap(rigid.v);
}

}  // namespace brio

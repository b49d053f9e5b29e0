#include "brio/integrate/bone_integrator.hpp"

#include "brio/core/error.hpp"

#include <numbers>

namespace brio {

StepReport BoneIntegrator::step(const System& system, State& state, double h) {
  if (&system != &chart_.nodal()) throw Error("this integrator was made for another system of bones");
  State local = chart_.enter(state);
  StepReport report = method_->step(chart_, local, h);
  if (report.status != StepStatus::ok) return report;
  if (const double turn = chart_.largest_turn(local); !(turn < std::numbers::pi)) {
    report.status = StepStatus::diverged;
    report.reason = fmt::format("a joint turned by {:.3g} rad in one step, more than half a turn", turn);
    return report;
  }
  chart_.leave(local, state);
  return report;
}

}  // namespace brio

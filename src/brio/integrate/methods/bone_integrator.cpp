#include "brio/integrate/methods/bone_integrator.hpp"

#include "brio/core/error.hpp"

#include <numbers>

namespace brio {

void BoneIntegrator::prepare(const System& system) {
  const auto* nodal = dynamic_cast<const NodalSystem*>(&system);
  if (!nodal) throw Error("bones can only be moved in a system of vertices that has their points");
  chart_ = std::make_unique<BoneChart>(*nodal, points_);
  method_->prepare(*chart_);
}

StepReport BoneIntegrator::step(State& state, double h) {
  State local = chart_->enter(state);
  if (remembers_) enter_memory(state.memory, local.memory);
  StepReport report = method_->step(local, h);
  if (report.status != StepStatus::ok) return report;
  if (const double turn = chart_->largest_turn(local); !(turn < std::numbers::pi)) {
    report.status = StepStatus::diverged;
    report.reason = fmt::format("a joint turned by {:.3g} rad in one step, more than half a turn", turn);
    return report;
  }
  chart_->leave(local, state);
  if (remembers_) leave_memory(std::move(local.memory), state.memory);
  return report;
}

void BoneIntegrator::enter_memory(const std::vector<Remembered>& nodal, std::vector<Remembered>& local) const {
  local = nodal;
  const Index from = chart_->nodal().dofs(), to = chart_->dofs();
  for (size_t i = 0; i < nodal.size(); ++i) {
    if (nodal[i].kind != Remembered::Kind::directions) continue;
    local[i].values.setZero(to * nodal[i].columns);
    for (Index column = 0; column < nodal[i].columns; ++column)
      chart_->gather_tissue(nodal[i].values.segment(column * from, from),
                            local[i].values.segment(column * to, chart_->tissue()));
  }
}

void BoneIntegrator::leave_memory(std::vector<Remembered> local, std::vector<Remembered>& nodal) const {
  const Index from = chart_->dofs(), to = chart_->nodal().dofs();
  for (Remembered& remembered : local) {
    if (remembered.kind != Remembered::Kind::directions) continue;
    VectorXd all(to * remembered.columns), one;
    for (Index column = 0; column < remembered.columns; ++column) {
      one.setZero(to);
      chart_->scatter_tissue(remembered.values.segment(column * from, chart_->tissue()), one);
      all.segment(column * to, to) = one;
    }
    remembered.values = std::move(all);
  }
  nodal = std::move(local);
}

void BoneIntegrator::on_velocity_impulse(State& state, const VectorXd&) {
  State rigid;
  chart_->leave(chart_->enter(state), rigid);
  state.v.swap(rigid.v);
}

}  // namespace brio

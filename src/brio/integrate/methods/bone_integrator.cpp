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
  enter_memory(state.memory, local.memory);
  StepReport report = method_->step(local, h);
  if (report.status != StepStatus::ok) return report;
  if (const double turn = chart_->largest_turn(local); !(turn < std::numbers::pi)) {
    report.status = StepStatus::diverged;
    report.reason = fmt::format("a joint turned by {:.3g} rad in one step, more than half a turn", turn);
    return report;
  }
  chart_->leave(local, state);
  leave_memory(std::move(local.memory), state.memory);
  return report;
}

void BoneIntegrator::enter_memory(const std::vector<Remembered>& nodal, std::vector<Remembered>& local) const {
  const Index from = chart_->nodal().dofs(), to = chart_->dofs();
  for (const Remembered& remembered : nodal) {
    Remembered& entered = local.emplace_back(remembered);
    if (remembered.kind != Remembered::Kind::directions) continue;
    entered.values.setZero(to * remembered.columns);
    for (Index column = 0; column < remembered.columns; ++column)
      chart_->gather_tissue(remembered.values.segment(column * from, from),
                            entered.values.segment(column * to, chart_->tissue()));
  }
}

void BoneIntegrator::leave_memory(std::vector<Remembered> local, std::vector<Remembered>& nodal) const {
  const Index from = chart_->dofs(), to = chart_->nodal().dofs();
  nodal.clear();
  for (Remembered& remembered : local) {
    const bool directions = remembered.kind == Remembered::Kind::directions;
    if (directions && !keeps_directions_) continue;
    if (directions) {
      VectorXd all(to * remembered.columns), one;
      for (Index column = 0; column < remembered.columns; ++column) {
        one.setZero(to);
        chart_->scatter_tissue(remembered.values.segment(column * from, chart_->tissue()), one);
        all.segment(column * to, to) = one;
      }
      remembered.values = std::move(all);
    }
    nodal.push_back(std::move(remembered));
  }
}

void BoneIntegrator::on_velocity_impulse(State& state, const VectorXd&) {
  State rigid;
  chart_->leave(chart_->enter(state), rigid);
  state.v.swap(rigid.v);
}

}  // namespace brio

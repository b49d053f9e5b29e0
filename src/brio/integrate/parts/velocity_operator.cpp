#include "brio/integrate/parts/velocity_operator.hpp"

#include "brio/core/stopwatch.hpp"

namespace brio {
namespace {

class OperatedIntegrator : public Integrator {
 public:
  OperatedIntegrator(std::unique_ptr<Integrator> integrator, std::vector<std::unique_ptr<VelocityOperator>> operators)
      : integrator_(std::move(integrator)), operators_(std::move(operators)) {}

  void prepare(const System& system) override {
    integrator_->prepare(system);
    for (const auto& op : operators_) op->prepare(system);
    mass_ = system.mass();
  }

  StepReport step(State& state, double h) override {
    StepReport report = integrator_->step(state, h);
    if (report.status != StepStatus::ok) return report;
    Stopwatch watch;
    jump_ = -state.v;
    for (const auto& op : operators_) report.dissipated += op->apply(state, h);
    jump_ += state.v;
    // A body that is moved by few numbers takes the nearest velocities that it can have, and loses the rest.
    const auto kinetic = [&] { return 0.5 * state.v.dot(mass_.cwiseProduct(state.v)); };
    const double before = kinetic();
    integrator_->on_velocity_impulse(state, jump_);
    report.dissipated += before - kinetic();
    report.time.other += watch.lap();
    return report;
  }

 private:
  std::unique_ptr<Integrator> integrator_;
  std::vector<std::unique_ptr<VelocityOperator>> operators_;
  VectorXd mass_;  ///< [kg]
  VectorXd jump_;
};

}  // namespace

std::unique_ptr<Integrator> with_operators(std::unique_ptr<Integrator> integrator,
                                           std::vector<std::unique_ptr<VelocityOperator>> operators) {
  if (operators.empty()) return integrator;
  return std::make_unique<OperatedIntegrator>(std::move(integrator), std::move(operators));
}

}  // namespace brio

#include "brio/integrate/parts/contact_after.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/integrate/parts/outside_work.hpp"
#include "brio/integrate/parts/pushed_system.hpp"
#include "brio/system/contact_set.hpp"

#include <Eigen/LU>

#include <cmath>

namespace brio {
namespace {

class ContactAfter : public Integrator {
 public:
  ContactAfter(std::unique_ptr<Integrator> method, ContactAnswer answer, double theta,
               std::unique_ptr<Integrator> instead)
      : method_(std::move(method)), instead_(std::move(instead)), answer_(answer), theta_(theta) {}

  void prepare(const System& system) override {
    system_ = &system;
    contacts_ = ContactSet::of(system);
    if (contacts_ && instead_) instead_->prepare(system);
    pushed_ = contacts_ ? std::make_unique<PushedSystem>(contacts_->without_obstacles()) : nullptr;
    method_->prepare(contacts_ ? *pushed_ : system);
    stiffness_.resize(contacts_ ? system.dofs() / 3 : 0);
    lin_ = contacts_ && answer_ == ContactAnswer::stiffness ? pushed_->linearization() : nullptr;
  }

  StepReport step(State& state, double h) override {
    if (!contacts_) return method_->step(state, h);
    contacts_->read_memory(state);
    contacts_->begin(state, h);
    if (instead_ && contacts_->meets()) return instead_->step(state, h);
    pushed_->push.setZero();
    contacts_->add_first_forces(pushed_->push);
    trial_ = state;
    ContactSet::take_memory(trial_);
    StepReport report = method_->step(trial_, h);
    if (report.status != StepStatus::ok) return report;
    Stopwatch watch;
    q_ = trial_.q;
    v_ = trial_.v;
    bool assembled = false;
    do {
      find_difference(state.q);
      if (difference_.isZero(0)) continue;
      if (!lin_) {
        answer_with_mass(h);
      } else if (!answer_with_stiffness(state.t + h, h, assembled, report)) {
        return report;
      }
    } while (contacts_->revise(trial_.q));
    if (instead_ && (contacts_->meets() || gained_energy(state, report))) {
      StepReport other = instead_->step(state, h);
      report.dissipated = 0;
      static_cast<StepWork&>(other) += report;
      return other;
    }
    report.dissipated += contacts_->end(state.v, h, ContactForce::end, trial_);
    contacts_->keep_memory(trial_);
    std::swap(state, trial_);
    report.time.other += watch.lap();
    return report;
  }

  void on_velocity_impulse(State& state, const VectorXd& dv) override { method_->on_velocity_impulse(state, dv); }
  void on_displacement(State& state, const VectorXd& dq) override { method_->on_displacement(state, dq); }
  bool meets_obstacles() const override { return true; }

 private:
  /// Whether a step with obstacles ends with more energy than it began with and came from outside.
  bool gained_energy(const State& state, const StepReport& report) {
    constexpr double kTolerated = 0.01;  // of the energy in motion, strain and contact
    if (contacts_->touches().empty() && pushed_->push.isZero(0)) return false;
    const auto kinetic = [&](const State& at) { return system_->kinetic_energy(at.q, at.v); };
    const Potentials before = system_->potentials(state.t, state.q), after = system_->potentials(trial_.t, trial_.q);
    outside_.begin(*system_, state, before.total(), trial_.t);
    const double outside = outside_.until(trial_, after.total());
    const double taken = report.dissipated + contacts_->friction_work(trial_.q);
    const double moving = kinetic(trial_) + after.elastic + after.contact;
    const double gain = kinetic(trial_) + after.total() - kinetic(state) - before.total() - outside + taken;
    const double round_off = 1e-13 * (std::fabs(before.gravity) + before.elastic + before.contact);
    return !(gain <= kTolerated * moving + round_off);
  }

  /// What obstacles push with where the method has led, less what it has felt.
  void find_difference(const VectorXd& q0) {
    difference_ = -pushed_->push;
    for (const Touch& touch : contacts_->touches()) {
      const Vec3 way = q_.segment<3>(3 * touch.point) - q0.segment<3>(3 * touch.point);
      difference_.segment<3>(3 * touch.point) -=
          touch.stiffness * (touch.gap + touch.normal.dot(way)) * touch.normal + spring_pull(touch, way);
    }
    trial_.q = q_;
    trial_.v = v_;
  }

  /// (m + theta h^2 K_c) dv = h difference for each vertex.
  void answer_with_mass(double h) {
    const VectorXd& mass = pushed_->mass();
    for (Mat3& block : stiffness_) block.setZero();
    for (const Touch& touch : contacts_->touches()) stiffness_[touch.point] += touch_stiffness(touch);
    for (size_t i = 0; i < stiffness_.size(); ++i) {
      const Vec3 force = difference_.segment<3>(3 * i);
      if (force.isZero(0)) continue;
      const Mat3 A = mass[3 * i] * Mat3::Identity() + theta_ * h * h * stiffness_[i];
      const Vec3 dv = h * (A.inverse() * force);
      trial_.v.segment<3>(3 * i) += dv;
      trial_.q.segment<3>(3 * i) += theta_ * h * dv;
    }
  }

  /// (M + h D + theta h^2 (K + K_c)) dv = h difference.
  bool answer_with_stiffness(double t, double h, bool& assembled, StepReport& report) {
    if (!assembled) lin_->assemble(t, q_, Psd::clamp, gradient_);
    assembled = true;
    lin_->touched()->set_touches(contacts_->touches(), 1);
    ++report.factorizations;
    if (lin_->factor(1, h, theta_ * h * h) != FactorStatus::ok) {
      report.status = StepStatus::diverged;
      report.reason = "the matrix of what touches at the end of the step cannot be factored";
      return false;
    }
    difference_ *= h;
    lin_->solve(difference_);
    ++report.solves;
    trial_.v += difference_;
    trial_.q += theta_ * h * difference_;
    return true;
  }

  const System* system_ = nullptr;  ///< what it was prepared for
  std::unique_ptr<Integrator> method_, instead_;
  ContactAnswer answer_;
  double theta_;
  std::unique_ptr<ContactSet> contacts_;  ///< none where there are no obstacles
  std::unique_ptr<PushedSystem> pushed_;
  OutsideWork outside_;
  State trial_;
  VectorXd q_, v_;  ///< where the method led
  VectorXd difference_;
  std::vector<Mat3> stiffness_;         ///< of the touches of each point
  std::unique_ptr<Linearization> lin_;  ///< where the stiffness answers
  VectorXd gradient_;
};

}  // namespace

std::unique_ptr<Integrator> with_contact_after(std::unique_ptr<Integrator> method, ContactAnswer answer, double theta,
                                               std::unique_ptr<Integrator> instead) {
  return std::make_unique<ContactAfter>(std::move(method), answer, theta, std::move(instead));
}

}  // namespace brio

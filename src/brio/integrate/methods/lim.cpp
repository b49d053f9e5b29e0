#include "brio/integrate/methods/lim.hpp"

namespace brio {
namespace {

constexpr Extra kEulerTaken{"euler_taken", "steps that gained energy and were taken by backward Euler", ""};

}  // namespace

StepReport LinearlyImplicitMidpoint::step(State& state, double h) {
  set_theta(0.5);
  StepReport report = LinearlyImplicit::step(state, h);
  if (where_ == LinearizedAt::start) report.extras.add(kEulerTaken, 1);
  return report;
}

bool LinearlyImplicitMidpoint::fall_back() {
  set_theta(1);
  where_ = LinearizedAt::start;
  return true;
}

void LinearlyImplicitMidpoint::update(const State&, double h, StepReport& report, Stopwatch& watch) {
  dv_ = h * force_;
  // f(q + theta dq) = f(q*) - K (q + theta dq - q*), with what v does to the bracket.
  const double ahead = theta_ - (where_ == LinearizedAt::middle ? 0.5 : 0);
  if (ahead != 0) {
    linearization().multiply_stiffness(velocity_, dq_);
    dv_ -= h * h * ahead * dq_;
  }
  // What touches is felt at q + dq, in that product at q + (ahead / theta) dq.
  if (touches() && ahead != theta_)
    for (const Touch& touch : *touches())
      dv_.segment<3>(3 * touch.point) -=
          h * h * (1 - ahead / theta_) * (touch_stiffness(touch) * velocity_.segment<3>(3 * touch.point));
  report.time.other += watch.lap();
  linearization().solve(dv_);
  ++report.solves;
  report.time.solve += watch.lap();
  dq_ = h * (velocity_ + theta_ * dv_);
}

IntegratorEntry LinearlyImplicitMidpoint::entry() {
  return {{"lim",
           "linearly implicit midpoint: one linear solve a step, keeps energy, gains where motion is not resolved",
           {psd_option(), frame_option()}},
          [](const Options& o) { return std::make_unique<LinearlyImplicitMidpoint>(psd_policy(o), frame_policy(o)); },
          [](const Options&, double) { return 1.0; },
          true,
          {kEulerTaken, kGained},
          psd_remedy,
          condensed_stepping};
}

}  // namespace brio

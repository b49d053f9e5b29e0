#include "brio/experiment/advise/trial_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double kSwingsWanted = 8;  // more say nothing new about a body that only swings
constexpr int kMostTrialSteps = 1000;
constexpr int kStepsWithoutSwing = 40;  // least that a trial should have where no swing is known
constexpr double kLaterPart = 3;        // of a scene in which something comes later, a third should be seen
constexpr size_t kFewest = 4;           // candidates that are always tried
constexpr double kSlack = 1.2;          // a trial's time over that of its steps and books
constexpr double kBooks = 3;            // what the books of a step cost, in evaluations of the forces
constexpr double kOtherSteps = 5;       // half and twice the step of the winner, in steps of si at h
constexpr double kExplicitReach = 1.4;  // hω for rk4: half its limit
constexpr int kMostPieces = 24;

/// rk4 where that is cheap, else implicit midpoint with a quarter of the step.
TrialReference best_reference(const SceneFacts& f) {
  const TrialReference midpoint{"im", 4, 12};
  if (f.fastest == 0 || f.contact) return midpoint;   // contact is stiffer than what is known
  const double damping = f.damping_beta * f.fastest;  // beta omega^2 decays as fast as damping * omega swings
  const int pieces =
      static_cast<int>(std::min(1e6, std::ceil(f.h * f.fastest * std::max(1.0, damping) / kExplicitReach)));
  if (pieces > kMostPieces) return midpoint;
  const TrialReference runge_kutta{"rk4", std::max(4, pieces), 4 * std::max(4, pieces) * f.force_s / f.step_s};
  return runge_kutta.relative_cost < midpoint.relative_cost ? runge_kutta : midpoint;
}

int even(double steps) { return 2 * static_cast<int>(std::clamp(steps / 2, 1.0, 1e6)); }

class TrialPlanner {
 public:
  TrialPlanner(const SceneFacts& facts, const std::vector<Candidate>& candidates, double seconds)
      : facts_(facts), candidates_(candidates) {
    plan_.seconds = seconds;
    plan_.tried = candidates.size();
    plan_.reference = best_reference(facts);
    plan_.other_steps = true;
  }

  TrialPlan plan() {
    const double whole = std::ceil(facts_.duration / facts_.h * (1 - 1e-9));
    const auto leading = facts_.leading();
    const double swing = leading ? 2 * std::numbers::pi / *leading / facts_.h : 0;  // steps
    const double wish =
        std::min({facts_.later || swing == 0 ? whole : kSwingsWanted * swing, whole, double{kMostTrialSteps}});
    const double least =
        std::min(wish, std::max({swing, double{kStepsWithoutSwing}, facts_.later ? whole / kLaterPart : 0.0}));
    if (affordable() < least && plan_.other_steps) {
      plan_.other_steps = false;
      plan_.notes.push_back("no time to try other steps");
    }
    if (affordable() < least && plan_.reference) {
      plan_.reference.reset();
      plan_.notes.push_back("no time for a reference: errors are not known, and the step is left as it is");
    }
    while (affordable() < least && plan_.tried > std::min(kFewest, candidates_.size())) {
      --plan_.tried;
      plan_.notes.push_back(fmt::format("no time to try {}", candidates_[plan_.tried].label));
    }
    plan_.steps = even(std::min(affordable(), wish));
    if (plan_.steps < even(least))
      plan_.notes.push_back(fmt::format("the trials are short: {} steps, where {:.0f} would show more; give --seconds",
                                        plan_.steps, least));
    else if (facts_.later && plan_.steps < even(whole))
      plan_.notes.push_back(fmt::format("the trials end at {:.3g} s of {:.3g} s, and what comes later was not seen",
                                        plan_.steps * facts_.h, facts_.duration));
    return plan_;
  }

 private:
  /// Steps that fit into the time.
  double affordable() const {
    double runs = 0, seconds = 0;  // of all trials, for one step h
    const auto add = [&](double relative_cost, double pieces, double builds) {
      runs += builds;
      seconds += kSlack * (relative_cost * facts_.step_s + pieces * kBooks * facts_.force_s);
    };
    for (size_t i = 0; i < plan_.tried; ++i) add(candidates_[i].relative_cost, 1, 1);
    if (plan_.reference) add(plan_.reference->relative_cost, plan_.reference->pieces, 1);
    if (plan_.other_steps) add(kOtherSteps, 2.5, 2);
    return std::max(2.0, (plan_.seconds - runs * facts_.build_s) / std::max(seconds, 1e-9));
  }

  const SceneFacts& facts_;
  const std::vector<Candidate>& candidates_;
  TrialPlan plan_;
};

}  // namespace

TrialPlan plan_trials(const SceneFacts& facts, const std::vector<Candidate>& candidates, double seconds) {
  return TrialPlanner(facts, candidates, seconds).plan();
}

}  // namespace brio

#include "brio/experiment/advise/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

double percent_of(double share) { return 100 * share; }

/// "41 %", "0.15 %"
std::string readable_percent(double share) {
  return share < 0.1 ? fmt::format("{:.2g} %", percent_of(share)) : fmt::format("{:.0f} %", percent_of(share));
}

/// The energy that a trial may lose. At least `least_loss`, because every first-order method loses some percent in the
/// first steps of a fall; no more than in `most_swings` swings, however long the trial.
double most_lost(double swings, const TrialCriteria& criteria) {
  if (swings <= 0) return criteria.loss;
  return std::max(criteria.least_loss, 1 - std::pow(1 - criteria.loss, std::min(swings, criteria.most_swings)));
}

std::string energy_objection(const Trial& trial, double swings, const TrialCriteria& criteria) {
  if (!trial.finished) return trial.failure.empty() ? "did not get through" : trial.failure;
  if (!trial.drift) return "";
  const double lost = -*trial.drift, bound = most_lost(swings, criteria);
  if (lost > bound)
    return fmt::format("loses {} of the energy; at most {}", readable_percent(lost), readable_percent(bound));
  if (trial.gain > criteria.gain)
    return fmt::format("makes {} of energy; at most {}", readable_percent(trial.gain), readable_percent(criteria.gain));
  return "";
}

/// How far from the reference is near enough: judged by those that keep their energy, or by all when none does.
double error_bound(const std::vector<Trial>& trials, double swings, const TrialCriteria& criteria) {
  double nearest = std::numeric_limits<double>::infinity();
  for (bool lively_only : {true, false}) {
    for (const Trial& trial : trials)
      if (trial.finished && trial.error && (!lively_only || energy_objection(trial, swings, criteria).empty()))
        nearest = std::min(nearest, *trial.error);
    if (std::isfinite(nearest)) break;
  }
  return std::max(criteria.error, criteria.error_factor * nearest);
}

std::vector<std::string> objections(const std::vector<Trial>& trials, double swings, const TrialCriteria& criteria) {
  const double bound = error_bound(trials, swings, criteria);
  std::vector<std::string> found;
  for (const Trial& trial : trials) {
    found.push_back(energy_objection(trial, swings, criteria));
    if (found.back().empty() && trial.error && *trial.error > bound)
      found.back() = fmt::format("is {} away from the reference; at most {}", readable_percent(*trial.error),
                                 readable_percent(bound));
  }
  return found;
}

/// How far a trial is from what the body would do, as far as that is known.
double badness(const Trial& trial) {
  return trial.error.value_or(0) + std::fabs(trial.drift.value_or(0)) + std::max(0.0, trial.gain);
}

std::string trial_numbers(const Trial& trial) {
  std::string text = fmt::format("{:.3g} s per simulated second", trial.cost);
  if (trial.drift)
    text += fmt::format(", {} {:.1f} % of the energy", *trial.drift > 0 ? "made" : "lost",
                        percent_of(std::fabs(*trial.drift)));
  if (trial.error) text += fmt::format(", {:.1f} % away from the reference", percent_of(*trial.error));
  return text;
}

/// The finished trial among `which` that is least far from the truth.
std::optional<size_t> least_bad(const std::vector<Trial>& trials, const std::vector<size_t>& which) {
  std::optional<size_t> best;
  for (size_t i : which)
    if (trials[i].finished && (!best || badness(trials[i]) < badness(trials[*best]))) best = i;
  return best;
}

}  // namespace

Verdict choose_method(const std::vector<Trial>& trials, double swings, const TrialCriteria& criteria) {
  Verdict verdict{{}, objections(trials, swings, criteria), ""};
  std::vector<size_t> all, passing;
  double cheapest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < trials.size(); ++i) {
    all.push_back(i);
    if (!verdict.objections[i].empty()) continue;
    passing.push_back(i);
    cheapest = std::min(cheapest, trials[i].cost);
  }
  std::erase_if(passing, [&](size_t i) { return trials[i].cost > criteria.cost_factor * cheapest; });
  const auto own = std::find_if(passing.begin(), passing.end(), [&](size_t i) { return trials[i].own; });
  if (own != passing.end()) {
    verdict.chosen = *own;
    verdict.reason = "it passes the criteria, and none that does is clearly cheaper";
  } else if (!passing.empty()) {
    verdict.chosen = least_bad(trials, passing);
    verdict.reason = passing.size() == 1 ? "it is the cheapest of those that pass the criteria"
                                         : "of the cheapest that pass the criteria it is the nearest to the truth";
  } else {
    verdict.chosen = least_bad(trials, all);
    verdict.reason = verdict.chosen
                         ? "none passes the criteria; it is the nearest to the truth of those that got through"
                         : "none of the trials got through";
  }
  if (verdict.chosen) verdict.reason += ": " + trial_numbers(trials[*verdict.chosen]);
  return verdict;
}

Verdict choose_step(const std::vector<Trial>& trials, size_t chosen, const std::vector<size_t>& steps, double swings,
                    const TrialCriteria& criteria) {
  Verdict verdict{chosen, objections(trials, swings, criteria), ""};
  std::optional<size_t> longest;
  for (size_t i : steps)
    if (verdict.objections[i].empty() && (!longest || trials[i].h > trials[*longest].h)) longest = i;
  verdict.chosen = longest ? longest : least_bad(trials, steps);
  if (!verdict.chosen) verdict.chosen = chosen;
  const Trial &was = trials[chosen], &is = trials[*verdict.chosen];
  if (is.h == was.h) verdict.reason = "of the steps tried it is the longest that passes the criteria";
  if (is.h > was.h) verdict.reason = "the longer step passes the criteria, too";
  if (is.h < was.h)
    verdict.reason = longest ? "the shorter step passes the criteria" : "the shorter step is nearer to the truth";
  if (is.h == was.h && !longest) verdict.reason = "no other step does better";
  verdict.reason += ": " + trial_numbers(is);
  return verdict;
}

std::string rule_text(const TrialCriteria& criteria) {
  return fmt::format(
      "A trial passes when it takes all its steps, loses at most {:.0f} % of the energy in a swing (in all: {:.0f} % "
      "at least and as in {:g} swings at most; {:.0f} % where no swing is known), never has more "
      "than {:.0f} % too much, and is at most {:.0f} % away from the reference, or {:g} times as far as the nearest "
      "that keeps its energy. Of those that pass, the cheapest is recommended; costs within {:g} times the least are "
      "equal, and then the scene's own method or else the one nearest to the truth is. If none passes: the nearest to "
      "the truth of those that got through. Nearest means the least sum of error and energy lost or made. Of the "
      "steps tried, the longest that passes.",
      percent_of(criteria.loss), percent_of(criteria.least_loss), criteria.most_swings, percent_of(criteria.loss),
      percent_of(criteria.gain), percent_of(criteria.error), criteria.error_factor, criteria.cost_factor);
}

}  // namespace brio

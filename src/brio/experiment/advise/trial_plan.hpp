#pragma once
// Chooses the length of the trials and which of them fit into the given time.

#include "brio/experiment/advise/candidates.hpp"

namespace brio {

struct TrialReference {
  std::string name;          ///< of the method
  int pieces = 1;            ///< into which it cuts a step
  double relative_cost = 0;  ///< what one step h of it costs, in steps of si
};

struct TrialPlan {
  int steps = 0;     ///< of the scene's h; even, so that twice the step fits
  size_t tried = 0;  ///< how many of the candidates, from the first
  std::optional<TrialReference> reference;
  bool other_steps = false;        ///< whether there should be time for half the step, and twice
  double seconds = 0;              ///< for all of them together
  std::vector<std::string> notes;  ///< what was left out or cut short, for people to read
};

/// `seconds`: what the trials may take.
TrialPlan plan_trials(const SceneFacts& facts, const std::vector<Candidate>& candidates, double seconds);

}  // namespace brio

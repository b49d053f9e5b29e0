#pragma once
// What a step of each method costs, from a few of them: so that the trials can be as long as the time allows.

#include "brio/experiment/advise/candidates.hpp"

namespace brio {

/// Puts what was measured in place of the candidates' guesses, in about `seconds`. Condensed bodies and bones keep
/// theirs, for their steps need a body built for them, and so does siere.
/// Behind the scene's own method the cheapest then come first.
void estimate_step_cost(const Simulation& simulation, const SceneFacts& facts, double seconds,
                        std::vector<Candidate>& candidates);

}  // namespace brio

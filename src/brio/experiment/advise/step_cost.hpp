#pragma once
// Measures the cost of a step of each method with a few steps, to choose the length of the trials.

#include "brio/experiment/advise/candidates.hpp"

namespace brio {

/// Replaces the estimated costs of the candidates by measured ones, in about `seconds`. Condensed bodies, bones and
/// siere keep their estimates, because measuring them takes a set-up of their own. Then sorts the candidates by cost,
/// after the scene's own method.
void estimate_step_cost(const Simulation& simulation, const SceneFacts& facts, double seconds,
                        std::vector<Candidate>& candidates);

}  // namespace brio

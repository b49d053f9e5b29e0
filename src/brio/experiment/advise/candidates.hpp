#pragma once
// Which methods are worth a trial on a scene, and why: one row a method.

#include "brio/core/json.hpp"
#include "brio/experiment/advise/facts.hpp"

#include <string>
#include <vector>

namespace brio {

struct Candidate {
  std::string label;         ///< "siere modes=6"
  bool own = false;          ///< what the scene has already, condensation included
  Json integrator;           ///< with all options but h; unused when own
  int dynamic_nodes = 0;     ///< of a condensed body; 0 for the whole body. Unused when own
  double relative_cost = 1;  ///< what a step costs, in steps of si, until it is measured
  std::string why;
};

/// The scene's own method first (`own` is its "integrator").
std::vector<Candidate> candidates_for(const SceneFacts& facts, Json own);

/// The scene with the candidate's method in place of its own, and with its step h [s]; how long it lasts and how often
/// it writes frames stay as near to what they were as whole steps allow.
Json with_candidate(Json scene, const Candidate& candidate, double h);

}  // namespace brio

#pragma once
// Which engine solves with the matrices of a scene: what it cannot serve is refused, what does not fit into memory too,
// and what was chosen is said.

#include "brio/scene/simulation.hpp"

namespace brio {

/// The engine of a scene's system; null for the factorization that needs none. Throws Error, naming the key, for an
/// engine that cannot serve the scene.
std::shared_ptr<Engine> engine_of(const Scene& scene);

/// Adds to the notes what the engine "auto" is for this body, and that an engine has nothing to do.
void note_engine(Simulation& simulation);

/// Throws Error where the engine needs more memory than there is, with one that does not.
void refuse_engine_without_memory(const Simulation& simulation);

/// One line for each engine: the memory that it takes for matrices of such a pattern, and the time of a step.
std::vector<std::string> describe_engines(const BlockPattern& pattern);

}  // namespace brio

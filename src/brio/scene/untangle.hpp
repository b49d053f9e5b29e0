#pragma once
// Separates bodies that begin through each other, inside each other or without a gap: whole bodies are moved, each pair
// by the shortest way that was found.

#include "brio/scene/simulation.hpp"

namespace brio {

/// Moves bodies of the state that nothing holds, and says so in the notes of the simulation. What it cannot separate
/// (a body and itself, two that are held) is left as it is.
void untangle(Simulation& simulation);

}  // namespace brio

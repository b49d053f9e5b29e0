#pragma once
// Vectors to begin an iteration with, where nothing is known.

#include "brio/core/types.hpp"

namespace brio {

/// Vectors that are neither special nor random: every mode has its share in them.
MatrixXd scattered_vectors(Index rows, Index columns, int seed = 0);

}  // namespace brio

#pragma once
// How many threads a factorization can keep busy: its work over the longest chain of pieces that wait for each other.

#include "brio/linalg/supernodal_symbolic.hpp"

namespace brio {

/// The longest chain from a leaf of the tree to its root [flop]; Symbolic::flops over this is what more threads than
/// pieces could gain. Adding children's updates is left out, as it is in the flops.
double longest_chain(const Symbolic& symbolic);

}  // namespace brio

#pragma once
// Conjugate gradients: factor() is incomplete, on the matrix's own pattern of 3x3 blocks (Meijerink and van der Vorst
// 1977), and solve() iterates. Far cheaper to factor than Cholesky's, dearer to solve.

#include "brio/linalg/cholesky.hpp"

namespace brio {

/// solve() stops when the residual is `tolerance` of the right-hand side, or after `iterations`.
std::unique_ptr<BlockSolver> make_conjugate_gradients(std::shared_ptr<const BlockPattern> pattern, double tolerance,
                                                      int iterations);

}  // namespace brio

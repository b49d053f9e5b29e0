#pragma once
// The factor of an earlier matrix as the preconditioner of conjugate gradients. A body that has turned since has the
// matrix R A R^T, as far as it has not strained: so the old inverse is turned along with the points, P = R A0^-1 R^T, R
// block diagonal with the rotation of each point since then. What is left for the iterations is the change of strain.

#include "brio/linalg/block_solver.hpp"

#include <memory>
#include <vector>

namespace brio {

struct ReuseOptions {
  double tolerance = 1e-6;  ///< of the error, in the norm of the matrix
  bool turned = true;       ///< whether the old inverse turns with the points; without, to compare with
};

/// `free_pieces`, lists of points that nothing holds, is kept by reference.
std::unique_ptr<BlockSolver> make_reused_factor(std::shared_ptr<const BlockPattern> pattern,
                                                const std::vector<std::vector<int>>& free_pieces,
                                                const ReuseOptions& options);

}  // namespace brio

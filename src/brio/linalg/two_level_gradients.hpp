#pragma once
// Conjugate gradients without any factor of the matrix. The preconditioner has two levels, added up: the inverses of
// the diagonal blocks for what is short, and the rigid motions of small groups of points for what is long. The number
// of iterations hardly depends on the size of the body. (Multiplicative cycles with the same two levels need half the
// iterations, each at three to five times the price.)

#include "brio/linalg/block_solver.hpp"

#include <memory>
#include <vector>

namespace brio {

struct TwoLevelOptions {
  double tolerance = 1e-6;  ///< of the error, in the norm of the matrix
  int aggregate = 0;        ///< points of a group; 0: chosen by the size of the body
  /// How strongly points are coupled, by slot of the pattern; empty: as in the first matrix.
  VectorXd couplings = {};
};

/// `free_pieces`, lists of points that nothing holds, is kept by reference.
std::unique_ptr<BlockSolver> make_two_level_gradients(std::shared_ptr<const BlockPattern> pattern,
                                                      const std::vector<std::vector<int>>& free_pieces,
                                                      const TwoLevelOptions& options);

/// Points of a group where nobody says how many.
int usual_aggregate(int points);

}  // namespace brio

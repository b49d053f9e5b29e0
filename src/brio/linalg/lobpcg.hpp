#pragma once
// Vibration modes without any factor, by locally optimal block preconditioned conjugate gradients: A. V. Knyazev, Toward
// the optimal preconditioned eigensolver, SIAM J. Sci. Comput. 23 (2001).

#include "brio/linalg/block_gradients.hpp"
#include "brio/linalg/block_solver.hpp"

namespace brio {

/// The `count` modes with the smallest lambda of K U = M U Lambda, with a preconditioner near the inverse of K + shift M.
/// `iterations` is increased by one for each application of it to a block. Trouble when they do not converge.
FoundModes lobpcg(const BlockMatrix& K, const VectorXd& mass, Preconditioner& preconditioner, int count,
                  int& iterations);

}  // namespace brio

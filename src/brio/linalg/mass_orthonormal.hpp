#pragma once
// Gram-Schmidt in the inner product x.M y of a diagonal M.

#include "brio/core/types.hpp"

namespace brio {

/// Makes `column` M-orthogonal to the first `count` columns of Q, which are M-orthonormal, normalizes it, and
/// appends it to them. Returns false and appends nothing when it is linearly dependent on them to working precision; Q
/// must have room.
bool append_orthonormal(const VectorXd& mass, MatrixXd& Q, Index count, VectorXd& column);

}  // namespace brio

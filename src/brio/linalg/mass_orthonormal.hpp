#pragma once
// Gram-Schmidt in the inner product x.M y of a diagonal M.

#include "brio/core/types.hpp"

namespace brio {

/// Makes `column` M-orthogonal to the first `count` columns of Q, which are M-orthonormal, and puts it, normalized,
/// behind them. False (and nothing put) when it depends on them to working precision; Q must have room.
bool append_orthonormal(const VectorXd& mass, MatrixXd& Q, Index count, VectorXd& column);

}  // namespace brio

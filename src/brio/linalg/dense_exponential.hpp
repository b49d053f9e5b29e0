#pragma once
// exp(A) of a small dense matrix (scaling and squaring with Pade approximants).

#include "brio/core/types.hpp"

namespace brio {

/// Not a number where A is not finite or has a norm above 1e6; infinite where the exponential overflows.
MatrixXd dense_exponential(const MatrixXd& A);

}  // namespace brio

#pragma once
// Eigenvalues and eigenvectors of a small dense symmetric matrix, without allocation, and with bits that do not depend
// on where the numbers lie in memory.

#include "brio/core/types.hpp"

namespace brio {

/// A = Y diag(lambda) Y^T, lambda increasing. A is overwritten; Y and lambda and work have its size.
/// Householder's tridiagonal form and the implicit QR iteration of Golub and Van Loan, Matrix Computations,
/// section 8.3.
void symmetric_eigen(Eigen::Ref<MatrixXd> A, Eigen::Ref<MatrixXd> Y, Eigen::Ref<VectorXd> lambda,
                     Eigen::Ref<VectorXd> work);

}  // namespace brio

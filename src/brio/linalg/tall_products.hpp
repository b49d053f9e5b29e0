#pragma once
// Products with tall, thin matrices (many rows, a few columns), in parallel with the same bits for any number of
// threads.

#include "brio/core/types.hpp"

namespace brio {

/// y = A^T x for the first `columns` columns.
void multiply_transposed(const MatrixXd& A, int columns, const VectorXd& x, VectorXd& y);
/// x += A c for the first c.size() columns.
void add_product(const MatrixXd& A, const VectorXd& c, VectorXd& x);
/// a . b
double parallel_dot(const VectorXd& a, const VectorXd& b);

}  // namespace brio

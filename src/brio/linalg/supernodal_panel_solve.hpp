#pragma once
// The part that one panel has in a triangular solve. X belongs to its columns and Y to the rows below; row r of a
// right-hand side of width w is at [r * w, (r + 1) * w), and w is 1 or a whole number of vectors.

#include "brio/linalg/supernodal_symbolic.hpp"

namespace brio {

/// X = L11^-1 X, then Y = Y - L21 X.
void solve_forward(const Panel& panel, int width, double* X, double* Y);
/// X = L11^-T (X - L21^T Y)
void solve_backward(const Panel& panel, int width, double* X, const double* Y);

}  // namespace brio

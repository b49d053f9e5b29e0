#pragma once
// The part that one panel has in a triangular solve. X belongs to its columns and Y to the rows below. A few
// right-hand sides lie one after the other, `plane` numbers apart, so that vectors run along the rows of the panel;
// many lie row by row, so that they run along the right-hand sides: row r is at [r * width, (r + 1) * width), and the
// width is a whole number of vectors. Planes are read, and written unchanged, to whole vectors of rows: up
// to kRowLanes - 1 past the end of X and Y, where solve_backward() needs finite numbers.

#include "brio/linalg/supernodal_symbolic.hpp"

namespace brio {

constexpr int kMostPlanes = 3;  ///< whose sums for a tile of columns fit in the registers

struct RightHandSides {
  int planes;  ///< up to kMostPlanes; above 1 only with width 1
  int width;

  static RightHandSides of(int columns);
  int count() const { return planes * width; }
};

/// X = L11^-1 X, then Y = Y - L21 X.
void solve_forward(const PanelOf<const double>& panel, const RightHandSides& columns, Index plane, double* X,
                   double* Y);
/// X = L11^-T (X - L21^T Y)
void solve_backward(const PanelOf<const double>& panel, const RightHandSides& columns, Index plane, double* X,
                    const double* Y);
/// The same with a panel in single precision, for a few right-hand sides only; sums are formed in double precision.
void solve_forward(const PanelOf<const float>& panel, const RightHandSides& columns, Index plane, double* X, double* Y);
void solve_backward(const PanelOf<const float>& panel, const RightHandSides& columns, Index plane, double* X,
                    const double* Y);

}  // namespace brio

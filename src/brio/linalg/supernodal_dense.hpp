#pragma once
// Dense work on one front. Large fronts are cut into pieces by their sizes alone and the pieces run in parallel, so
// that every number is computed in the same way for any number of threads. BLAS itself must run on one thread:
// OpenBLAS rounds differently with every number of its own threads.

#include "brio/linalg/supernodal_symbolic.hpp"

#include <span>

namespace brio {

/// Sets OpenBLAS to one thread for the whole process.
void use_single_threaded_blas();

/// Eliminates the columns of a panel: L11 L11^T = A11 and L21 = A21 L11^-T. False when a pivot is not above its
/// `smallest` or not finite; panel.inverse is filled.
bool eliminate(const Panel& panel, const double* smallest);

/// The lower triangle of update = -L21 L21^T.
void start_update(const Panel& panel, double* update);

/// Of eliminate() and start_update() on a front: work that no number of threads could do at a time, the largest piece
/// of each stage [flop].
double longest_chain(int columns, int below);

/// The update matrix of a child, and the map from its rows to the parent's.
struct ChildUpdate {
  const double* values;
  size_t stride;
  std::span<const RowRun> runs;
  int runs_in_panel;  ///< how many of the runs are columns that the parent eliminates
};
/// Adds a child's update to its parent's panel ...
void add_to_panel(const ChildUpdate& child, const Panel& panel);
/// ... and, the other columns, to its parent's update.
void add_to_update(const ChildUpdate& child, const Panel& panel, double* update);

}  // namespace brio

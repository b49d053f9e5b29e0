#pragma once
// Dense work on one front, column-major. Large fronts are cut into tiles by their sizes alone and the tiles run in
// parallel, so that every number is computed by the same BLAS call for any number of threads. BLAS itself must run on
// one thread: OpenBLAS rounds differently with every number of its own threads.

namespace brio {

/// Puts OpenBLAS on one thread, for the whole process and from now on.
void use_single_threaded_blas();

/// Eliminates the columns of a panel: L11 L11^T = A11 and L21 = A21 L11^-T. False when a pivot is not positive.
bool eliminate(double* panel, int rows, int columns);

/// The lower triangle of update = -L21 L21^T.
void start_update(const double* panel, int rows, int columns, double* update);

/// Adds a child's update to its parent's panel (columns that the parent eliminates) ...
struct ChildUpdate {
  const double* values;       ///< lower triangle, 3 * rows a side
  const int* rows_in_parent;  ///< block rows, increasing
  int rows;
};
void add_to_panel(const ChildUpdate& child, double* panel, int parent_rows, int parent_columns);
/// ... and to its parent's update (all other columns).
void add_to_update(const ChildUpdate& child, double* update, int parent_rows, int parent_columns);

}  // namespace brio

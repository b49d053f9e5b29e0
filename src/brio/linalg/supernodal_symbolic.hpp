#pragma once
// Symbolic analysis of a supernodal Cholesky factorization, done once per pattern.
//
// A front takes the columns of A that belong to a supernode, adds what its children have left for it, eliminates its
// own columns and leaves an update for its parent: the multifrontal method of Duff and Reid (1983), in the tree of
// Liu (1990). A family is the unit of parallel work, done by one thread: a small subtree of fronts, or one large
// front. The pattern may be one of 3x3 blocks or of single numbers; sizes and indices here count single rows.

#include "brio/linalg/block_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace brio {

/// Consecutive rows below a front that are consecutive elsewhere as well.
struct RowRun {
  int row;     ///< counted from the first row below
  int target;  ///< the same row there
  int length;
};

/// The columns of the factor that a front eliminates, column-major; rows are padded with zeros to whole vectors.
template <class Number>
struct PanelOf {
  Number* L11;      ///< columns x columns, lower triangle
  Number* L21;      ///< below x columns
  Number* inverse;  ///< reciprocals of the diagonal
  int columns, below;
  size_t L11_stride, L21_stride;
};
using Panel = PanelOf<double>;

struct Front {
  int first_column;    ///< place in the order of elimination
  int columns, below;  ///< rows below its own columns
  int parent = -1;     ///< -1 at a root
  int family = -1;     ///< the one it belongs to
  bool kept = false;   ///< assembled, but not eliminated
  int64_t values = 0;  ///< where its panel begins in the factor, in doubles
  int64_t update = 0;  ///< where its update begins in the family's memory, in doubles; not for the family's top
  int entries_begin = 0, entries_end = 0;      ///< its blocks of A, in Symbolic::entries
  int children_begin = 0, children_end = 0;    ///< in Symbolic::children
  int in_parent_begin = 0, in_parent_end = 0;  ///< its rows below as rows of the parent, in Symbolic::runs
  int runs_in_panel = 0;                       ///< how many of these are columns that the parent eliminates
  int in_family_begin = 0, in_family_end = 0;  ///< ... as rows of the family's right-hand side; not for its top

  template <class Number>
  PanelOf<Number> panel(Number* factor) const;
  int64_t panel_size() const;   ///< doubles
  int64_t update_size() const;  ///< doubles; a square matrix with padded rows
};

/// Where a block of A goes in the panel of its front: its first row and column.
struct MatrixEntry {
  int slot;
  int row, column;  ///< counted from the front's first column
  bool transposed;
};

/// Its right-hand side has its columns first and then the rows below its top.
struct Family {
  int first_front, top;  ///< fronts [first_front, top], the last one of which is the root of the subtree
  int parent = -1;
  int children = 0;  ///< how many families must be done before it
  int first_column, columns;
  int scratch = 0;              ///< most rows below one of its fronts, and a vector more
  int64_t right_hand_side = 0;  ///< where it begins in the right-hand sides of all families, in rows
  int64_t memory = 0;           ///< for the updates of all fronts but the top one, in doubles
};

struct Symbolic {
  std::string ordering;       ///< "metis" or "amd"
  std::vector<int> order;     ///< rows of A in the order of elimination
  std::vector<Front> fronts;  ///< children before parents, subtrees contiguous
  std::vector<int> children;
  std::vector<MatrixEntry> entries;
  std::vector<RowRun> runs;
  std::vector<Family> families;  ///< children before parents
  std::vector<int> leaves;       ///< families without children
  std::vector<int> roots;        ///< families without a parent
  int64_t values = 0;            ///< size of the factor, in doubles
  int64_t peak_memory = 0;       ///< for updates, when the families are done one after another, in doubles
  int64_t right_hand_sides = 0;  ///< of all families together, with scratch, in rows
  double nonzeros = 0, flops = 0;

  /// `block`: rows and columns of a block of the pattern, 3 or 1. The last `kept` block rows are the last front, which
  /// is not eliminated.
  Symbolic(const BlockPattern& pattern, int block, int kept = 0);

  std::span<const int> children_of(const Front& front) const {
    return {children.data() + front.children_begin, children.data() + front.children_end};
  }
  std::span<const RowRun> runs_in_parent(const Front& front) const {
    return {runs.data() + front.in_parent_begin, runs.data() + front.in_parent_end};
  }
  std::span<const RowRun> runs_in_family(const Front& front) const {
    return {runs.data() + front.in_family_begin, runs.data() + front.in_family_end};
  }
};

}  // namespace brio

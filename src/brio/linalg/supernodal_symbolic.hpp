#pragma once
// Where every number of a supernodal Cholesky factor goes, found once per pattern. The analysis is done on the vertex
// graph, so that every index here counts 3x3 blocks.
//
// A front is a set of consecutive columns of the factor with (nearly) the same rows. It takes the columns of A, adds
// what its children have left for it, eliminates its own columns and leaves an update for its parent: the
// multifrontal method of Duff and Reid (1983), in the tree of Liu (1990).
// A family is what one thread works on without asking others: a small subtree of fronts, or one large front.

#include "brio/linalg/block_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brio {

struct Front {
  int first_column;    ///< place in the order of elimination
  int columns, rows;   ///< rows: its own columns and those below
  int parent = -1;     ///< -1 at a root
  int family = -1;     ///< the one it belongs to
  int below;           ///< where its rows below begin in rows_in_parent and rows_in_family
  int64_t values;      ///< where its panel begins in the factor, in doubles
  int64_t update = 0;  ///< where its update begins in the family's memory, in doubles; of no use at the top of a family
  int entries_begin = 0, entries_end = 0;    ///< its blocks of A
  int children_begin = 0, children_end = 0;  ///< in Symbolic::children
  int rows_below() const { return rows - columns; }
  int64_t update_size() const { return 9 * static_cast<int64_t>(rows_below()) * rows_below(); }
};

/// Where a block of A goes in the panel of its front.
struct Entry3x3 {
  int slot;
  int row, column;  ///< within the front
  bool transposed;
};

struct Family {
  int first_front, top;  ///< fronts [first_front, top], the last one of which is the root of the subtree
  int parent = -1;
  int children = 0;  ///< how many families must be done before it
  int first_column;
  int columns;                  ///< of all its fronts
  int64_t right_hand_side = 0;  ///< where its part of a permuted right-hand side begins, in scalar rows
  int scratch = 0;              ///< rows below any of its fronts, at most
  int64_t memory = 0;           ///< for the updates of all fronts but the top one, in doubles
};

struct Symbolic {
  std::string ordering;       ///< "metis" or "amd"
  std::vector<int> order;     ///< block rows of A in the order of elimination
  std::vector<int> place;     ///< per block row of A: its place in the order of elimination
  std::vector<Front> fronts;  ///< children before parents, subtrees contiguous
  std::vector<int> children;
  std::vector<Entry3x3> entries;
  std::vector<int> rows_in_parent;  ///< per row below a front: its row in the parent front
  std::vector<int>
      rows_in_family;            ///< the same row in the family's right-hand side: columns, then the top's rows below
  std::vector<Family> families;  ///< children before parents
  std::vector<int> leaves;       ///< families without children
  std::vector<int> roots;        ///< families without a parent
  int64_t peak_memory = 0;       ///< for updates, when the families are done one after another, in doubles
  int64_t values = 0;            ///< size of the factor, in doubles
  int64_t right_hand_side_rows = 0;
  double nonzeros = 0, flops = 0;

  explicit Symbolic(const BlockPattern& pattern);

 private:
  void add_fronts(int count, const int* first_column, const int* row_begin, const int* row);
  void add_entries(const BlockPattern& pattern, const int* row_begin, const int* row);
  void add_families(const int* row_begin, const int* row);
  void place_rows(const Family& family, const int* row_begin, const int* row);
  void place_updates(Family& family);
};

}  // namespace brio

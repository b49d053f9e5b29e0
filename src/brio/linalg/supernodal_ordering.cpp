#include "brio/linalg/supernodal_ordering.hpp"

#include "brio/core/error.hpp"

#include <cholmod.h>

namespace brio {
namespace {

/// CHOLMOD's settings and the factor that it analyzes, freed in any case. Nothing is printed.
struct Analysis {
  cholmod_common common;
  cholmod_factor* factor = nullptr;

  explicit Analysis(int block) {
    cholmod_start(&common);
    common.print = 0;
    common.error_handler = [](int, const char*, int, const char*) {};  // the status is read after the call
    common.nmethods = 2;
    common.method[0].ordering = CHOLMOD_METIS;
    common.method[1].ordering = CHOLMOD_AMD;
    common.postorder = true;
    common.supernodal = CHOLMOD_SUPERNODAL;
    // Supernodes are joined up to these numbers of block columns. Larger ones cost flops, smaller ones calls; half or
    // twice as much changes the time of a factorization by less than 5 %.
    common.nrelax[0] = 12 / block;  // ... however many zeros that adds
    common.nrelax[1] = 24 / block;  // ... when less than 80 % become zeros
    common.nrelax[2] = 72 / block;  // ... when less than 10 % do
  }
  ~Analysis() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;
};

std::vector<int> copy(const void* ints, size_t count) {
  const int* begin = static_cast<const int*>(ints);
  return {begin, begin + count};
}

/// `order`: that of elimination, or null for METIS' or AMD's.
Supernodes analyzed(const BlockPattern& pattern, int block, const std::vector<int>* order) {
  cholmod_sparse graph{};
  graph.nrow = graph.ncol = pattern.blocks_per_side;
  graph.nzmax = pattern.slots();
  graph.p = const_cast<int*>(pattern.column_begin.data());
  graph.i = const_cast<int*>(pattern.row.data());
  graph.stype = -1;
  graph.itype = CHOLMOD_INT;
  graph.xtype = CHOLMOD_PATTERN;
  graph.dtype = CHOLMOD_DOUBLE;
  graph.sorted = graph.packed = true;

  Analysis analysis(block);
  const cholmod_common& common = analysis.common;
  if (order) {
    analysis.common.nmethods = 1;
    analysis.common.method[0].ordering = CHOLMOD_GIVEN;
  }
  int* given = order ? const_cast<int*>(order->data()) : nullptr;
  const cholmod_factor* L = analysis.factor = cholmod_analyze_p(&graph, given, nullptr, 0, &analysis.common);
  if (common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE)
    throw Error(
        "a matrix of {} blocks on {} block rows does not fit the memory that its factor needs: use a coarser mesh or a "
        "method that does not factor",
        pattern.slots(), pattern.blocks_per_side);
  if (!L || common.status < CHOLMOD_OK) throw Error("CHOLMOD's analysis failed with status {}", common.status);

  const bool metis = common.method[common.selected].ordering == CHOLMOD_METIS;
  return {metis ? "metis" : "amd", copy(L->Perm, L->n), copy(L->super, L->nsuper + 1), copy(L->pi, L->nsuper + 1),
          copy(L->s, L->ssize)};
}

/// Rows and columns of the pattern that are not kept.
BlockPattern without_kept(const BlockPattern& pattern, int kept) {
  const int left = pattern.blocks_per_side - kept;
  std::vector<std::pair<int, int>> couplings;
  for (int j = 0; j < left; ++j)
    for (int s = pattern.column_begin[j] + 1; s < pattern.column_begin[j + 1]; ++s)
      if (pattern.row[s] < left) couplings.emplace_back(pattern.row[s], j);
  return BlockPattern(left, std::move(couplings));
}

/// One supernode of all columns from `first` on, in place of those that begin there or reach there.
void join_from(Supernodes& nodes, int first) {
  const int columns = nodes.first_column.back();
  while (nodes.count() > 0 && nodes.first_column[nodes.count() - 1] >= first) {
    nodes.first_column.pop_back();
    nodes.row_begin.pop_back();
  }
  nodes.row.resize(nodes.row_begin.back());
  nodes.first_column.back() = first;
  nodes.first_column.push_back(columns);
  for (int row = first; row < columns; ++row) nodes.row.push_back(row);
  nodes.row_begin.push_back(static_cast<int>(nodes.row.size()));
}

}  // namespace

Supernodes find_supernodes(const BlockPattern& pattern, int block, int kept) {
  if (kept == 0) return analyzed(pattern, block, nullptr);
  const int first = pattern.blocks_per_side - kept;
  std::vector<std::pair<int, int>> couplings;
  for (int j = 0; j < pattern.blocks_per_side; ++j)
    for (int s = pattern.column_begin[j] + 1; s < pattern.column_begin[j + 1]; ++s)
      couplings.emplace_back(pattern.row[s], j);
  std::vector<int> order;
  std::string ordering = "kept";
  if (first > 0) {
    const Supernodes others = analyzed(without_kept(pattern, kept), block, nullptr);
    order = others.order;
    ordering = others.ordering;
    // What is kept are the last ones in any order of the tree if every root of the others has the first of them above.
    for (int s = 0; s < others.count(); ++s)
      if (others.row_begin[s + 1] - others.row_begin[s] == others.first_column[s + 1] - others.first_column[s])
        couplings.emplace_back(first, order[others.first_column[s + 1] - 1]);
  }
  for (int i = first; i < pattern.blocks_per_side; ++i) {
    order.push_back(i);
    for (int j = first; j < i; ++j) couplings.emplace_back(i, j);
  }
  Supernodes nodes = analyzed(BlockPattern(pattern.blocks_per_side, std::move(couplings)), block, &order);
  nodes.ordering = ordering;
  join_from(nodes, first);
  return nodes;
}

}  // namespace brio

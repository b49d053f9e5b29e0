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

}  // namespace

Supernodes find_supernodes(const BlockPattern& pattern, int block) {
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
  const cholmod_factor* L = analysis.factor = cholmod_analyze(&graph, &analysis.common);
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

}  // namespace brio

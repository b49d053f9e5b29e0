#include "cholmod_yardstick.hpp"

#include "brio/core/stopwatch.hpp"

#include <cholmod.h>

#include <omp.h>
#include <stdexcept>
#include <thread>

extern "C" void openblas_set_num_threads(int);

namespace brio::bench {

struct CholmodYardstick::Handles {
  const BlockPattern& pattern;
  cholmod_common common{};
  cholmod_sparse* A = nullptr;
  cholmod_factor* L = nullptr;
};

namespace {

/// Calls visit(row, column, slot, place in the block) for the lower triangle in the order of compressed columns.
template <class Visit>
void for_each_lower(const BlockPattern& p, const Visit& visit) {
  for (int j = 0; j < p.blocks_per_side; ++j)
    for (int c = 0; c < 3; ++c)
      for (int s = p.column_begin[j]; s < p.column_begin[j + 1]; ++s)
        for (int r = p.row[s] == j ? c : 0; r < 3; ++r) visit(3 * p.row[s] + r, 3 * j + c, s, 3 * r + c);
}

/// All cores in OpenBLAS, and none of the threads that CHOLMOD would add on top.
class AllCores {
 public:
  AllCores() : levels_(omp_get_max_active_levels()) {
    omp_set_max_active_levels(0);
    openblas_set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  }
  ~AllCores() {
    openblas_set_num_threads(1);
    omp_set_max_active_levels(levels_);
  }

 private:
  int levels_;
};

}  // namespace

CholmodYardstick::CholmodYardstick(const BlockPattern& pattern) : handles_(new Handles{pattern}) {
  Handles& h = *handles_;
  cholmod_start(&h.common);
  h.common.supernodal = CHOLMOD_SUPERNODAL;
  h.common.print = 0;
  size_t nonzeros = 0;
  for_each_lower(pattern, [&](int, int, int, int) { ++nonzeros; });
  const size_t n = 3 * static_cast<size_t>(pattern.blocks_per_side);
  h.A = cholmod_allocate_sparse(n, n, nonzeros, true, true, -1, CHOLMOD_REAL, &h.common);
  int* begin = static_cast<int*>(h.A->p);
  int* row = static_cast<int*>(h.A->i);
  int next = 0;
  for_each_lower(pattern, [&](int i, int j, int, int) {
    row[next++] = i;
    begin[j + 1] = next;
  });
  begin[0] = 0;
  h.L = cholmod_analyze(h.A, &h.common);
}

CholmodYardstick::~CholmodYardstick() {
  cholmod_free_factor(&handles_->L, &handles_->common);
  cholmod_free_sparse(&handles_->A, &handles_->common);
  cholmod_finish(&handles_->common);
}

CholmodYardstick::Seconds CholmodYardstick::run(const BlockMatrix& K, double scale, const VectorXd& shift,
                                                const VectorXd& rhs) {
  Handles& h = *handles_;
  double* value = static_cast<double*>(h.A->x);
  for_each_lower(h.pattern, [&](int i, int j, int slot, int place) {
    *value++ = scale * K.block(slot)[place] + (i == j ? shift[i] : 0);
  });
  const AllCores all_cores;
  Stopwatch watch;
  cholmod_factorize(h.A, h.L, &h.common);
  const double factor = watch.lap();
  if (h.common.status != CHOLMOD_OK) throw std::runtime_error("CHOLMOD could not factor the yardstick's matrix");
  cholmod_dense* b = cholmod_allocate_dense(rhs.size(), 1, rhs.size(), CHOLMOD_REAL, &h.common);
  std::copy(rhs.begin(), rhs.end(), static_cast<double*>(b->x));
  watch.lap();
  cholmod_dense* x = cholmod_solve(CHOLMOD_A, h.L, b, &h.common);
  const double solve = watch.lap();
  cholmod_free_dense(&x, &h.common);
  cholmod_free_dense(&b, &h.common);
  return {factor, solve};
}

}  // namespace brio::bench

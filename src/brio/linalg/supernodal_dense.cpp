#include "brio/linalg/supernodal_dense.hpp"

#include "brio/core/parallel.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cblas.h>
#include <cstddef>

extern "C" void dpotrf_(const char* triangle, const int* n, double* a, const int* stride, int* info);

namespace brio {
namespace {

constexpr int kPanelColumns = 256;  // eliminated by one call
constexpr int kTileColumns = 256;
constexpr int kTileRows = 768;

int tiles(int size, int tile) { return (size + tile - 1) / tile; }

/// Runs body(tile) for all tiles; a thread that waits for the last ones takes no other work, which could be long.
template <class Body>
void for_each_tile(int count, const Body& body) {
  if (count <= 1) {
    if (count == 1) body(0);
    return;
  }
  tbb::this_task_arena::isolate([&] {
    parallel_for(count, 1, [&](int begin, int end) {
      for (int t = begin; t < end; ++t) body(t);
    });
  });
}

/// Lower triangle (and the rows below it) of C = beta C - L L^T for C of rows x columns, L of rows x depth.
void subtract_product(const double* L, int L_stride, int depth, double beta, double* C, int C_stride, int rows,
                      int columns) {
  const int across = tiles(columns, kTileColumns);
  const int down = tiles(rows, kTileRows);
  for_each_tile(across * down, [&](int t) {
    const int c0 = t / down * kTileColumns, c1 = std::min(columns, c0 + kTileColumns);
    // Rows are cut from the tile's diagonal block downwards.
    const int r0 = c0 + t % down * kTileRows, r1 = std::min(rows, r0 + kTileRows);
    if (r0 >= rows) return;
    int first = r0;
    if (r0 == c0) {
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, c1 - c0, depth, -1, L + c0, L_stride, beta,
                  C + c0 + static_cast<size_t>(c0) * C_stride, C_stride);
      first = c1;
    }
    if (first < r1)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, r1 - first, c1 - c0, depth, -1, L + first, L_stride, L + c0,
                  L_stride, beta, C + first + static_cast<size_t>(c0) * C_stride, C_stride);
  });
}

}  // namespace

void use_single_threaded_blas() {
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}

bool eliminate(double* panel, int rows, int columns) {
  for (int begin = 0; begin < columns; begin += kPanelColumns) {
    const int width = std::min(kPanelColumns, columns - begin), below = rows - begin - width;
    double* diagonal = panel + begin + static_cast<size_t>(begin) * rows;
    int info = 0;
    dpotrf_("L", &width, diagonal, &rows, &info);
    if (info != 0) return false;
    for_each_tile(tiles(below, kTileRows), [&](int t) {
      const int first = t * kTileRows;
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, std::min(kTileRows, below - first),
                  width, 1, diagonal, rows, diagonal + width + first, rows);
    });
    const int left = columns - begin - width;
    if (left > 0)
      subtract_product(diagonal + width, rows, width, 1, diagonal + width + static_cast<size_t>(width) * rows, rows,
                       below, left);
  }
  return true;
}

void start_update(const double* panel, int rows, int columns, double* update) {
  const int below = rows - columns;
  subtract_product(panel + columns, rows, columns, 0, update, below, below, below);
}

namespace {

/// Adds block columns [begin, end) of the child to columns of `parent`, whose first block is (offset, offset) of the
/// parent front.
void add_columns(const ChildUpdate& child, int begin, int end, int offset, double* parent, size_t parent_stride) {
  const size_t stride = 3 * static_cast<size_t>(child.rows);
  const int* row = child.rows_in_parent;
  for (int j = begin; j < end; ++j) {
    const double* from = child.values + 3 * j * stride;
    double* to = parent + 3 * (row[j] - offset) * parent_stride;
    for (int i = j; i < child.rows;) {
      int run = i + 1;
      while (run < child.rows && row[run] - row[i] == run - i) ++run;
      const double* source = from + 3 * i;
      double* target = to + 3 * static_cast<std::ptrdiff_t>(row[i] - offset);
      const int length = 3 * (run - i);
      for (int c = 0; c < 3; ++c)
        for (int r = i == j ? c : 0; r < length; ++r) target[r + c * parent_stride] += source[r + c * stride];
      i = run;
    }
  }
}

int columns_in_panel(const ChildUpdate& child, int parent_columns) {
  return static_cast<int>(std::lower_bound(child.rows_in_parent, child.rows_in_parent + child.rows, parent_columns) -
                          child.rows_in_parent);
}

}  // namespace

void add_to_panel(const ChildUpdate& child, double* panel, int parent_rows, int parent_columns) {
  add_columns(child, 0, columns_in_panel(child, parent_columns), 0, panel, 3 * static_cast<size_t>(parent_rows));
}

void add_to_update(const ChildUpdate& child, double* update, int parent_rows, int parent_columns) {
  add_columns(child, columns_in_panel(child, parent_columns), child.rows, parent_columns, update,
              3 * static_cast<size_t>(parent_rows - parent_columns));
}

}  // namespace brio

#include "brio/linalg/supernodal_dense.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/supernodal_kernels.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr int kBlockColumns = 192;  // eliminated before the columns right of them are updated
constexpr int kSquare = 192;        // on the diagonal of a product that is symmetric: a multiple of all pieces' columns
constexpr double kSmallestPiece = 1e6;  // [flop]: below, handing it to another thread costs more than it gains
constexpr int kEnoughPieces = 16;       // of a product, where it is large enough
#ifdef __AVX__
constexpr int kRowsForBlas = 640;  // of C: from here on its copying pays
#else
constexpr int kRowsForBlas = 64;  // OpenBLAS finds the wide instructions by itself
#endif
constexpr int kRowsToAddInParallel = 600;  // of a child
constexpr int kRunsPerPiece = 16;

/// Runs body(piece) for all pieces; a thread that waits for the last ones takes no other work, which could be long.
template <class Body>
void for_each_piece(int count, const Body& body) {
  if (count == 1) return body(0);
  if (count == 0) return;
  tbb::this_task_arena::isolate([&] {
    parallel_for(count, 1, [&](int begin, int end) {
      for (int piece = begin; piece < end; ++piece) body(piece);
    });
  });
}
int pieces(int size, int piece) { return (size + piece - 1) / piece; }

struct Product {
  const double* A;
  size_t A_stride;
  const double* B;
  size_t B_stride;
  int depth;
  bool overwrite;  ///< C = -A B^T instead of C = C - A B^T

  void subtract_from(double* C, size_t stride, int row_begin, int row_end, int column_begin, int column_end) const {
    if (row_begin >= row_end) return;
    if (stride >= static_cast<size_t>(kRowsForBlas)) {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, row_end - row_begin, column_end - column_begin, depth, -1,
                  A + row_begin, A_stride, B + column_begin, B_stride, overwrite ? 0 : 1,
                  C + row_begin + column_begin * stride, stride);
      return;
    }
    for (int column = column_begin; column < column_end; column += kTileColumns)
      tiles_of_column(C, stride, row_begin, row_end, column, std::min(kTileColumns, column_end - column));
  }

  void tiles_of_column(double* C, size_t stride, int row_begin, int row_end, int column, int columns) const {
    for_each_tile_of_rows(row_begin, row_end, [&]<int Vectors>(int row) {
      Tile<Vectors> tile;
      double* target = C + row + column * stride;
      if (overwrite)
        tile.set_zero();
      else
        tile.load_from(target, stride, columns);
      tile.subtract_product(A + row, A_stride, {B + column, 1, B_stride}, depth);
      tile.store_to(target, stride, columns);
    });
  }
};

/// Into how large pieces a product is cut: by its size alone, so that it is the same for any number of threads. Large
/// pieces are a little quicker, small ones leave work for more threads.
struct Cut {
  int rows, columns;

  static Cut of(int rows, int columns, int depth, bool lower) {
    constexpr Cut kCuts[] = {{768, 192}, {384, 192}, {192, 192}, {192, 96}};
    Cut cut = kCuts[0];
    for (const Cut& next : kCuts) {
      if (2.0 * next.rows * next.columns * depth < kSmallestPiece) break;
      cut = next;
      const double area = (lower ? 0.5 : 1.0) * rows * columns;
      if (area >= static_cast<double>(kEnoughPieces) * next.rows * next.columns) break;
    }
    return cut;
  }
  /// Of rows that are divided by a triangle of `width`.
  static int rows_to_divide(int width) { return 2.0 * 192 * width * width < kSmallestPiece ? 768 : 192; }
};

/// C = C - A B^T for all of C, rows x columns, or of a square C the lower triangle (with the tiles on the diagonal
/// whole).
struct Subtraction {
  Product product;
  bool lower;
  double* C;
  size_t stride;
  int rows, columns;
  Cut cut = Cut::of(rows, columns, product.depth, lower);

  int down() const { return pieces(rows, cut.rows); }
  int count() const { return pieces(columns, cut.columns) * down(); }
  void run(int piece) const {
    const int c0 = piece / down() * cut.columns, c1 = std::min(columns, c0 + cut.columns);
    int r0 = (lower ? c0 : 0) + piece % down() * cut.rows;
    const int r1 = std::min(rows, r0 + cut.rows);
    if (lower && r0 == c0) {
      // Squares on the diagonal go by tiles, the rest by BLAS, which rounds otherwise: so where a square ends does not
      // depend on the cut.
      const int square_end = padded(std::min(columns, (c0 / kSquare + 1) * kSquare));
      for (int c = c0; c < c1; c += kTileColumns)
        product.tiles_of_column(C, stride, c, square_end, c, std::min(kTileColumns, c1 - c));
      r0 = square_end;
    }
    product.subtract_from(C, stride, r0, r1, c0, c1);
  }
};

/// Factors a square tile on the diagonal. The columns past `columns` are of no matter.
bool factor_tile(Tile<1>& tile, int columns, const double* smallest, double* inverse) {
  bool sound = true;
#pragma GCC unroll 8
  for (int j = 0; j < kTileColumns; ++j) {
    if (j >= columns) break;
    const double pivot = tile.c[j][0][j];
    sound &= pivot > smallest[j] && pivot < std::numeric_limits<double>::infinity();
    inverse[j] = 1 / std::sqrt(pivot);
    tile.c[j][0] *= inverse[j];
#pragma GCC unroll 8
    for (int i = j + 1; i < kTileColumns; ++i) tile.c[i][0] -= tile.c[j][0] * tile.c[j][0][i];
  }
  return sound;
}

/// Factors the `columns` x `columns` matrix L, whose rows are padded.
bool factor_block(double* L, size_t stride, int columns, const double* smallest, double* inverse) {
  for (int j = 0; j < columns; j += kTileColumns) {
    const int count = std::min(kTileColumns, columns - j);
    Tile<1> tile;
    double* diagonal = L + j + j * stride;
    tile.load_from(diagonal, stride, count);
    tile.subtract_product(L + j, stride, {L + j, 1, stride}, j);
    if (!factor_tile(tile, count, smallest + j, inverse + j)) return false;
    tile.store_to(diagonal, stride, count);
    for_each_tile_of_rows(j + kTileColumns, padded(columns), [&]<int Vectors>(int row) {
      Tile<Vectors> below;
      double* target = L + row + j * stride;
      below.load_from(target, stride, count);
      below.subtract_product(L + row, stride, {L + j, 1, stride}, j);
      below.divide_by_transposed(diagonal, stride, inverse + j, count);
      below.store_to(target, stride, count);
    });
  }
  return true;
}

}  // namespace

void use_single_threaded_blas() {
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}

bool eliminate(const Panel& p, const double* smallest) {
  for (int begin = 0; begin < p.columns; begin += kBlockColumns) {
    const int width = std::min(kBlockColumns, p.columns - begin), end = begin + width;
    double* diagonal = p.L11 + begin + begin * p.L11_stride;
    double* inverse = p.inverse + begin;
    if (!factor_block(diagonal, p.L11_stride, width, smallest + begin, inverse)) return false;

    const int rows_of_L11 = padded(p.columns) - padded(end), rows_of_L21 = padded(p.below);
    const int piece_rows = Cut::rows_to_divide(width);
    const int pieces_of_L11 = pieces(rows_of_L11, piece_rows), pieces_of_L21 = pieces(rows_of_L21, piece_rows);
    for_each_piece(pieces_of_L11 + pieces_of_L21, [&](int piece) {
      const bool in_L11 = piece < pieces_of_L11;
      const int first = (in_L11 ? piece : piece - pieces_of_L11) * piece_rows;
      const int last = std::min(first + piece_rows, in_L11 ? rows_of_L11 : rows_of_L21);
      double* X = in_L11 ? diagonal + width : p.L21 + begin * p.L21_stride;
      divide_rows_by_transposed(X, in_L11 ? p.L11_stride : p.L21_stride, first, last, diagonal, p.L11_stride, inverse,
                                width);
    });
    if (end == p.columns) break;
    const double* below = diagonal + width;
    const Subtraction of_L11{{below, p.L11_stride, below, p.L11_stride, width, false},
                             true,
                             p.L11 + end + end * p.L11_stride,
                             p.L11_stride,
                             rows_of_L11,
                             p.columns - end};
    const Subtraction of_L21{{p.L21 + begin * p.L21_stride, p.L21_stride, below, p.L11_stride, width, false},
                             false,
                             p.L21 + end * p.L21_stride,
                             p.L21_stride,
                             rows_of_L21,
                             p.columns - end};
    for_each_piece(of_L11.count() + of_L21.count(), [&](int piece) {
      if (piece < of_L11.count())
        of_L11.run(piece);
      else
        of_L21.run(piece - of_L11.count());
    });
  }
  return true;
}

void start_update(const Panel& p, double* update) {
  const Subtraction subtraction{{p.L21, p.L21_stride, p.L21, p.L21_stride, p.columns, true},
                                true,
                                update,
                                p.L21_stride,
                                padded(p.below),
                                p.below};
  for_each_piece(subtraction.count(), [&](int piece) { subtraction.run(piece); });
}

double longest_chain(int columns, int below) {
  double chain = 0;
  const auto largest = [](int rows, int wide, int depth, bool lower) {
    const Cut cut = Cut::of(rows, wide, depth, lower);
    return 2.0 * std::min(cut.rows, rows) * std::min(cut.columns, wide) * depth;
  };
  for (int begin = 0; begin < columns; begin += kBlockColumns) {
    const int width = std::min(kBlockColumns, columns - begin), left = columns - begin - width;
    const double square = static_cast<double>(width) * width;
    chain += square * width / 3 + square * std::min(Cut::rows_to_divide(width), std::max(left, below));
    chain += std::max(largest(left, left, width, true), largest(below, left, width, false));
  }
  return chain + largest(below, below, columns, true);
}

namespace {

/// Adds the rows of one run to one column, from row `skip` of the run on.
void add_run(const RowRun& run, const double* from, double* to, int skip) {
  from += run.row;
  to += run.target;
  for (int r = skip; r < run.length; ++r) to[r] += from[r];
}

/// Calls add(run, column of the run, the child's column) for all columns of the runs [begin, end).
template <class Add>
void for_each_column(const ChildUpdate& child, int begin, int end, const Add& add) {
  if (begin == end) return;
  const int length = child.stride < kRowsToAddInParallel ? end - begin : kRunsPerPiece;
  for_each_piece(pieces(end - begin, length), [&](int piece) {
    const int first = begin + piece * length;
    for (int q = first; q < std::min(first + length, end); ++q)
      for (int c = 0; c < child.runs[q].length; ++c) add(q, c, child.values + (child.runs[q].row + c) * child.stride);
  });
}

}  // namespace

void add_to_panel(const ChildUpdate& child, const Panel& p) {
  const int count = static_cast<int>(child.runs.size());
  for_each_column(child, 0, child.runs_in_panel, [&](int q, int c, const double* from) {
    const int column = child.runs[q].target + c;
    double* L11 = p.L11 + column * p.L11_stride;
    double* L21 = p.L21 + column * p.L21_stride - p.columns;
    for (int r = q; r < child.runs_in_panel; ++r) add_run(child.runs[r], from, L11, r == q ? c : 0);
    for (int r = child.runs_in_panel; r < count; ++r) add_run(child.runs[r], from, L21, 0);
  });
}

void add_to_update(const ChildUpdate& child, const Panel& p, double* update) {
  const int count = static_cast<int>(child.runs.size());
  for_each_column(child, child.runs_in_panel, count, [&](int q, int c, const double* from) {
    const int column = child.runs[q].target - p.columns + c;
    double* to = update + column * p.L21_stride - p.columns;
    for (int r = q; r < count; ++r) add_run(child.runs[r], from, to, r == q ? c : 0);
  });
}

}  // namespace brio

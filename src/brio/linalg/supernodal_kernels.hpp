#pragma once
// Dense work that stays in registers: a tile of a matrix, from which products of whole vectors of rows with single
// numbers are subtracted. Matrices are column-major and have whole vectors of rows (the last ones padded with zeros).
// On matrices of up to some hundred rows this is faster than OpenBLAS, which copies its arguments first.

#include "brio/core/load_vector.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace brio {

#if defined(__AVX512F__)
constexpr int kRowLanes = 8, kTileVectors = 3;  // 3 x 8 of 32 registers hold the tile
#elif defined(__AVX__)
constexpr int kRowLanes = 4, kTileVectors = 3;  // 3 x 4 of 16
#else
constexpr int kRowLanes = 4, kTileVectors = 1;
#endif
/// As many columns as a vector has rows, so that tiles on the diagonal are square.
constexpr int kTileColumns = kRowLanes;
using RowVector = double __attribute__((vector_size(8 * kRowLanes)));

/// Rows rounded up to whole vectors.
constexpr int padded(int rows) { return (rows + kRowLanes - 1) / kRowLanes * kRowLanes; }

template <class Number>
inline RowVector load(const Number* from) {
  return load_vector<RowVector>(from);
}
inline void store(const RowVector& v, double* to) { std::memcpy(to, &v, sizeof v); }

/// Entry c is the sum of the lanes of v[c].
inline RowVector sum_lanes(const RowVector (&v)[kTileColumns]) {
#if defined(__AVX512F__)
  RowVector pair[4], four[2];
  for (int c = 0; c < 4; ++c)
    pair[c] = __builtin_shufflevector(v[2 * c], v[2 * c + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
              __builtin_shufflevector(v[2 * c], v[2 * c + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  for (int c = 0; c < 2; ++c)
    four[c] = __builtin_shufflevector(pair[2 * c], pair[2 * c + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
              __builtin_shufflevector(pair[2 * c], pair[2 * c + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15);
#else
  const RowVector a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6) + __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
  const RowVector b = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6) + __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
#endif
}

/// Numbers taken one by one: number (j, k) is at values[j * row_stride + k * column_stride].
struct Numbers {
  const double* values;
  size_t row_stride, column_stride;
};

template <int Vectors>
struct Tile {
  RowVector c[kTileColumns][Vectors];

  void set_zero() {
    for (auto& column : c)
      for (RowVector& v : column) v = RowVector{};
  }
  /// Only the first `columns` exist; the others become zero.
  void load_from(const double* C, size_t stride, int columns) {
    for (int j = 0; j < kTileColumns; ++j)
      for (int v = 0; v < Vectors; ++v) c[j][v] = j < columns ? load(C + j * stride + v * kRowLanes) : RowVector{};
  }
  void store_to(double* C, size_t stride, int columns) const {
    for (int j = 0; j < kTileColumns; ++j)
      for (int v = 0; v < Vectors; ++v)
        if (j < columns) store(c[j][v], C + j * stride + v * kRowLanes);
  }

  /// Subtracts A B^T with A of `depth` columns.
  void subtract_product(const double* A, size_t A_stride, const Numbers& B, int depth) {
    for (int k = 0; k < depth; ++k) {
      RowVector a[Vectors];
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) a[v] = load(A + k * A_stride + v * kRowLanes);
#pragma GCC unroll 8
      for (int j = 0; j < kTileColumns; ++j)
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) c[j][v] -= a[v] * B.values[j * B.row_stride + k * B.column_stride];
    }
  }

  /// Multiplies the first `columns` by L^-T, L lower triangular; `inverse` has the reciprocals of its diagonal.
  void divide_by_transposed(const double* L, size_t stride, const double* inverse, int columns) {
#pragma GCC unroll 8
    for (int j = 0; j < kTileColumns; ++j) {
      if (j >= columns) break;
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) c[j][v] *= inverse[j];
#pragma GCC unroll 8
      for (int i = j + 1; i < kTileColumns; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) c[i][v] -= c[j][v] * L[i + j * stride];
    }
  }

  /// Multiplies the first `columns` by L^-1.
  void divide_by(const double* L, size_t stride, const double* inverse, int columns) {
#pragma GCC unroll 8
    for (int j = kTileColumns - 1; j >= 0; --j) {
      if (j >= columns) continue;
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) c[j][v] *= inverse[j];
#pragma GCC unroll 8
      for (int i = j - 1; i >= 0; --i)
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) c[i][v] -= c[j][v] * L[j + i * stride];
    }
  }
};

/// Calls body.operator()<Vectors>(row) for tiles of rows from `begin` to `end`, a whole number of vectors.
template <class Body>
inline void for_each_tile_of_rows(int begin, int end, const Body& body) {
  for (int row = begin; row < end;) {
    const int left = (end - row) / kRowLanes;
    if (left >= kTileVectors && left != kTileVectors + 1) {  // two and two are faster than three and one
      body.template operator()<kTileVectors>(row);
      row += kTileVectors * kRowLanes;
    } else if (kTileVectors > 1 && left > 1) {
      body.template operator()<2>(row);
      row += 2 * kRowLanes;
    } else {
      body.template operator()<1>(row);
      row += kRowLanes;
    }
  }
}

/// X = X L^-T for the rows [begin, end) of X; L is lower triangular of `columns` columns.
inline void divide_rows_by_transposed(double* X, size_t stride, int begin, int end, const double* L, size_t L_stride,
                                      const double* inverse, int columns) {
  for_each_tile_of_rows(begin, end, [&]<int Vectors>(int row) {
    for (int j = 0; j < columns; j += kTileColumns) {
      Tile<Vectors> tile;
      double* target = X + row + j * stride;
      const int count = std::min(kTileColumns, columns - j);
      tile.load_from(target, stride, count);
      tile.subtract_product(X + row, stride, {L + j, 1, L_stride}, j);
      tile.divide_by_transposed(L + j + j * L_stride, L_stride, inverse + j, count);
      tile.store_to(target, stride, count);
    }
  });
}

}  // namespace brio

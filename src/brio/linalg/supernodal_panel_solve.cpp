#include "brio/linalg/supernodal_panel_solve.hpp"

#include "brio/linalg/supernodal_kernels.hpp"

namespace brio {
namespace {

/// y = y - L x with L of `Columns` columns.
template <int Columns>
void subtract_columns(const double* L, size_t stride, int rows, const double* x, double* y) {
  int r = 0;
  for (; r + kRowLanes <= rows; r += kRowLanes) {
    RowVector sum = load(y + r);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) sum -= load(L + r + c * stride) * x[c];
    store(sum, y + r);
  }
  for (; r < rows; ++r)
    for (int c = 0; c < Columns; ++c) y[r] -= L[r + c * stride] * x[c];
}

/// x = x - L^T y with L of `Columns` columns.
template <int Columns>
void subtract_dots(const double* L, size_t stride, int rows, const double* y, double* x) {
  RowVector sum[Columns] = {};
  int r = 0;
  for (; r + kRowLanes <= rows; r += kRowLanes) {
    const RowVector v = load(y + r);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) sum[c] += load(L + r + c * stride) * v;
  }
  for (int c = 0; c < Columns; ++c) {
    double rest = 0;
    for (int k = r; k < rows; ++k) rest += L[k + c * stride] * y[k];
    for (int lane = 0; lane < kRowLanes; ++lane) rest += sum[c][lane];
    x[c] -= rest;
  }
}

/// Calls body.operator()<Columns>(first) for tiles of columns, and for single ones at the end.
template <class Body>
void for_each_tile_of_columns(int columns, const Body& body) {
  int j = 0;
  for (; j + kTileColumns <= columns; j += kTileColumns) body.template operator()<kTileColumns>(j);
  for (; j < columns; ++j) body.template operator()<1>(j);
}

void forward_one(const Panel& p, double* x, double* y) {
  for_each_tile_of_columns(p.columns, [&]<int Columns>(int j) {
    const double* L = p.L11 + j * (p.L11_stride + 1);
    for (int c = 0; c < Columns; ++c) {
      x[j + c] *= p.inverse[j + c];
      for (int i = c + 1; i < Columns; ++i) x[j + i] -= L[i + c * p.L11_stride] * x[j + c];
    }
    subtract_columns<Columns>(L + Columns, p.L11_stride, p.columns - j - Columns, x + j, x + j + Columns);
    subtract_columns<Columns>(p.L21 + j * p.L21_stride, p.L21_stride, p.below, x + j, y);
  });
}

void backward_one(const Panel& p, double* x, const double* y) {
  const auto tile = [&]<int Columns>(int j) {
    const double* L = p.L11 + j * (p.L11_stride + 1);
    subtract_dots<Columns>(p.L21 + j * p.L21_stride, p.L21_stride, p.below, y, x + j);
    subtract_dots<Columns>(L + Columns, p.L11_stride, p.columns - j - Columns, x + j + Columns, x + j);
    for (int c = Columns - 1; c >= 0; --c) {
      for (int i = c + 1; i < Columns; ++i) x[j + c] -= L[i + c * p.L11_stride] * x[j + i];
      x[j + c] *= p.inverse[j + c];
    }
  };
  int j = p.columns;
  for (; j % kTileColumns != 0; --j) tile.template operator()<1>(j - 1);
  for (; j > 0; j -= kTileColumns) tile.template operator()<kTileColumns>(j - kTileColumns);
}

}  // namespace

void solve_forward(const Panel& p, int width, double* X, double* Y) {
  if (width == 1) return forward_one(p, X, Y);
  divide_rows_by_transposed(X, width, 0, width, p.L11, p.L11_stride, p.inverse, p.columns);
  for (int j = 0; j < p.below; j += kTileColumns) {
    const int count = std::min(kTileColumns, p.below - j);
    for_each_tile_of_rows(0, width, [&]<int Vectors>(int row) {
      Tile<Vectors> tile;
      double* target = Y + row + static_cast<size_t>(j) * width;
      tile.load_from(target, width, count);
      tile.subtract_product(X + row, width, {p.L21 + j, 1, p.L21_stride}, p.columns);
      tile.store_to(target, width, count);
    });
  }
}

void solve_backward(const Panel& p, int width, double* X, const double* Y) {
  if (width == 1) return backward_one(p, X, Y);
  for (int j = (p.columns - 1) / kTileColumns * kTileColumns; j >= 0; j -= kTileColumns) {
    const int count = std::min(kTileColumns, p.columns - j), left = p.columns - j - count;
    const double* L = p.L11 + j * (p.L11_stride + 1);
    for_each_tile_of_rows(0, width, [&]<int Vectors>(int row) {
      Tile<Vectors> tile;
      double* target = X + row + static_cast<size_t>(j) * width;
      tile.load_from(target, width, count);
      tile.subtract_product(Y + row, width, {p.L21 + j * p.L21_stride, p.L21_stride, 1}, p.below);
      tile.subtract_product(target + count * width, width, {L + count, p.L11_stride, 1}, left);
      tile.divide_by(L, p.L11_stride, p.inverse + j, count);
      tile.store_to(target, width, count);
    });
  }
}

}  // namespace brio

#include "brio/linalg/supernodal_panel_solve.hpp"

#include "brio/linalg/supernodal_kernels.hpp"

namespace brio {
namespace {

/// y = y - L x with L of `Columns` columns, for each plane.
template <int Columns, int Planes>
void subtract_columns(const double* L, size_t stride, int rows, Index plane, const double* x, double* y) {
  int r = 0;
  for (; r + kRowLanes <= rows; r += kRowLanes) {
    RowVector sum[Planes];
    for (int p = 0; p < Planes; ++p) sum[p] = load(y + r + p * plane);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) {
      const RowVector l = load(L + r + c * stride);
      for (int p = 0; p < Planes; ++p) sum[p] -= l * x[c + p * plane];
    }
    for (int p = 0; p < Planes; ++p) store(sum[p], y + r + p * plane);
  }
  for (; r < rows; ++r)
    for (int p = 0; p < Planes; ++p)
      for (int c = 0; c < Columns; ++c) y[r + p * plane] -= L[r + c * stride] * x[c + p * plane];
}

/// x = x - L^T y with L of `Columns` columns, for each plane.
template <int Columns, int Planes>
void subtract_dots(const double* L, size_t stride, int rows, Index plane, const double* y, double* x) {
  RowVector sum[Columns][Planes] = {};
  int r = 0;
  for (; r + kRowLanes <= rows; r += kRowLanes) {
    RowVector v[Planes];
    for (int p = 0; p < Planes; ++p) v[p] = load(y + r + p * plane);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) {
      const RowVector l = load(L + r + c * stride);
      for (int p = 0; p < Planes; ++p) sum[c][p] += l * v[p];
    }
  }
  for (int c = 0; c < Columns; ++c) {
    for (int p = 0; p < Planes; ++p) {
      double rest = 0;
      for (int k = r; k < rows; ++k) rest += L[k + c * stride] * y[k + p * plane];
      for (int lane = 0; lane < kRowLanes; ++lane) rest += sum[c][p][lane];
      x[c + p * plane] -= rest;
    }
  }
}

/// Columns of a tile such that the sums of all planes stay in registers.
template <int Planes>
constexpr int kColumnsAtOnce = Planes > 2 ? kTileColumns / 2 : kTileColumns;

template <int Planes>
void forward_planes(const Panel& p, Index plane, double* x, double* y) {
  const auto tile = [&]<int Columns>(int j) {
    const double* L = p.L11 + j * (p.L11_stride + 1);
    for (int q = 0; q < Planes; ++q) {
      double* xq = x + j + q * plane;
      for (int c = 0; c < Columns; ++c) {
        xq[c] *= p.inverse[j + c];
        for (int i = c + 1; i < Columns; ++i) xq[i] -= L[i + c * p.L11_stride] * xq[c];
      }
    }
    subtract_columns<Columns, Planes>(L + Columns, p.L11_stride, p.columns - j - Columns, plane, x + j,
                                      x + j + Columns);
    subtract_columns<Columns, Planes>(p.L21 + j * p.L21_stride, p.L21_stride, p.below, plane, x + j, y);
  };
  constexpr int kColumns = kColumnsAtOnce<Planes>;
  int j = 0;
  for (; j + kColumns <= p.columns; j += kColumns) tile.template operator()<kColumns>(j);
  for (; j < p.columns; ++j) tile.template operator()<1>(j);
}

template <int Planes>
void backward_planes(const Panel& p, Index plane, double* x, const double* y) {
  const auto tile = [&]<int Columns>(int j) {
    const double* L = p.L11 + j * (p.L11_stride + 1);
    subtract_dots<Columns, Planes>(p.L21 + j * p.L21_stride, p.L21_stride, p.below, plane, y, x + j);
    subtract_dots<Columns, Planes>(L + Columns, p.L11_stride, p.columns - j - Columns, plane, x + j + Columns, x + j);
    for (int q = 0; q < Planes; ++q) {
      double* xq = x + j + q * plane;
      for (int c = Columns - 1; c >= 0; --c) {
        for (int i = c + 1; i < Columns; ++i) xq[c] -= L[i + c * p.L11_stride] * xq[i];
        xq[c] *= p.inverse[j + c];
      }
    }
  };
  constexpr int kColumns = kColumnsAtOnce<Planes>;
  int j = p.columns;
  for (; j % kColumns != 0; --j) tile.template operator()<1>(j - 1);
  for (; j > 0; j -= kColumns) tile.template operator()<kColumns>(j - kColumns);
}

using Forward = void (*)(const Panel&, Index, double*, double*);
using Backward = void (*)(const Panel&, Index, double*, const double*);
constexpr Forward kForward[kMostPlanes] = {forward_planes<1>, forward_planes<2>, forward_planes<3>, forward_planes<4>};
constexpr Backward kBackward[kMostPlanes] = {backward_planes<1>, backward_planes<2>, backward_planes<3>,
                                             backward_planes<4>};

}  // namespace

RightHandSides RightHandSides::of(int columns) {
  return columns <= kMostPlanes ? RightHandSides{columns, 1} : RightHandSides{1, padded(columns)};
}

void solve_forward(const Panel& p, const RightHandSides& columns, Index plane, double* X, double* Y) {
  const int width = columns.width;
  if (width == 1) return kForward[columns.planes - 1](p, plane, X, Y);
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

void solve_backward(const Panel& p, const RightHandSides& columns, Index plane, double* X, const double* Y) {
  const int width = columns.width;
  if (width == 1) return kBackward[columns.planes - 1](p, plane, X, Y);
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

#include "brio/linalg/supernodal_panel_solve.hpp"

#include "brio/linalg/supernodal_kernels.hpp"

#include <utility>

namespace brio {
namespace {

/// y = y - L x with L of `Columns` columns, for each plane; `rows` is a whole number of vectors. The columns that come
/// next are fetched meanwhile: each is too short for the processor to find out by itself.
template <int Columns, int Planes, class Number>
void subtract_columns(const Number* L, size_t stride, int rows, Index plane, const double* x, double* y) {
  for (int r = 0; r < rows; r += kRowLanes) {
    RowVector sum[Planes];
    for (int p = 0; p < Planes; ++p) sum[p] = load(y + r + p * plane);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) {
      const RowVector l = load(L + r + c * stride);
      __builtin_prefetch(L + r + (c + Columns) * stride);
      for (int p = 0; p < Planes; ++p) sum[p] -= l * x[c + p * plane];
    }
    for (int p = 0; p < Planes; ++p) store(sum[p], y + r + p * plane);
  }
}

/// x = x - L^T y with L of `Columns` columns, for each plane; `rows` is a whole number of vectors.
template <int Columns, int Planes, class Number>
void subtract_dots(const Number* L, size_t stride, int rows, Index plane, const double* y, double* x) {
  RowVector sum[Planes][kTileColumns] = {};
  for (int r = 0; r < rows; r += kRowLanes) {
    RowVector v[Planes];
    for (int p = 0; p < Planes; ++p) v[p] = load(y + r + p * plane);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) {
      const RowVector l = load(L + r + c * stride);
      __builtin_prefetch(L + r - (Columns - c) * stride);
      for (int p = 0; p < Planes; ++p) sum[p][c] += l * v[p];
    }
  }
  for (int p = 0; p < Planes; ++p) {
    const RowVector dots = sum_lanes(sum[p]);
    for (int c = 0; c < Columns; ++c) x[c + p * plane] -= dots[c];
  }
}

/// Calls body with the number of columns that are left over when the panel is cut into whole tiles, if any.
template <class Body, int... Columns>
void with_columns(int columns, const Body& body, std::integer_sequence<int, Columns...>) {
  ((columns == Columns + 1 ? body.template operator()<Columns + 1>() : void()), ...);
}
using PartsOfTile = std::make_integer_sequence<int, kTileColumns - 1>;

template <int Planes, class Number>
void forward_planes(const PanelOf<const Number>& p, Index plane, double* x, double* y) {
  const auto tile = [&]<int Columns>(int j) {
    const Number* L = p.L11 + j * (p.L11_stride + 1);
    for (int q = 0; q < Planes; ++q) {
      double* xq = x + j + q * plane;
#pragma GCC unroll 8
      for (int c = 0; c < Columns; ++c) {
        xq[c] *= p.inverse[j + c];
#pragma GCC unroll 8
        for (int i = c + 1; i < Columns; ++i) xq[i] -= L[i + c * p.L11_stride] * xq[c];
      }
    }
    const int end = j + Columns;
    if constexpr (Columns == kTileColumns)
      subtract_columns<Columns, Planes>(L + Columns, p.L11_stride, padded(p.columns) - end, plane, x + j, x + end);
    subtract_columns<Columns, Planes>(p.L21 + j * p.L21_stride, p.L21_stride, padded(p.below), plane, x + j, y);
  };
  const int whole = p.columns / kTileColumns * kTileColumns;
  for (int j = 0; j < whole; j += kTileColumns) tile.template operator()<kTileColumns>(j);
  with_columns(
      p.columns - whole, [&]<int Columns>() { tile.template operator()<Columns>(whole); }, PartsOfTile{});
}

template <int Planes, class Number>
void backward_planes(const PanelOf<const Number>& p, Index plane, double* x, const double* y) {
  const auto tile = [&]<int Columns>(int j) {
    const Number* L = p.L11 + j * (p.L11_stride + 1);
    const int end = j + Columns;
    subtract_dots<Columns, Planes>(p.L21 + j * p.L21_stride, p.L21_stride, padded(p.below), plane, y, x + j);
    if constexpr (Columns == kTileColumns)
      subtract_dots<Columns, Planes>(L + Columns, p.L11_stride, padded(p.columns) - end, plane, x + end, x + j);
    for (int q = 0; q < Planes; ++q) {
      double* xq = x + j + q * plane;
#pragma GCC unroll 8
      for (int c = Columns - 1; c >= 0; --c) {
#pragma GCC unroll 8
        for (int i = c + 1; i < Columns; ++i) xq[c] -= L[i + c * p.L11_stride] * xq[i];
        xq[c] *= p.inverse[j + c];
      }
    }
  };
  const int whole = p.columns / kTileColumns * kTileColumns;
  with_columns(
      p.columns - whole, [&]<int Columns>() { tile.template operator()<Columns>(whole); }, PartsOfTile{});
  for (int j = whole - kTileColumns; j >= 0; j -= kTileColumns) tile.template operator()<kTileColumns>(j);
}

template <class Number>
using Forward = void (*)(const PanelOf<const Number>&, Index, double*, double*);
template <class Number>
using Backward = void (*)(const PanelOf<const Number>&, Index, double*, const double*);
template <class Number>
constexpr Forward<Number> kForward[kMostPlanes] = {forward_planes<1, Number>, forward_planes<2, Number>,
                                                   forward_planes<3, Number>};
template <class Number>
constexpr Backward<Number> kBackward[kMostPlanes] = {backward_planes<1, Number>, backward_planes<2, Number>,
                                                     backward_planes<3, Number>};

}  // namespace

RightHandSides RightHandSides::of(int columns) {
  return columns <= kMostPlanes ? RightHandSides{columns, 1} : RightHandSides{1, padded(columns)};
}

void solve_forward(const PanelOf<const float>& p, const RightHandSides& columns, Index plane, double* X, double* Y) {
  kForward<float>[columns.planes - 1](p, plane, X, Y);
}

void solve_backward(const PanelOf<const float>& p, const RightHandSides& columns, Index plane, double* X,
                    const double* Y) {
  kBackward<float>[columns.planes - 1](p, plane, X, Y);
}

void solve_forward(const PanelOf<const double>& p, const RightHandSides& columns, Index plane, double* X, double* Y) {
  const int width = columns.width;
  if (width == 1) return kForward<double>[columns.planes - 1](p, plane, X, Y);
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

void solve_backward(const PanelOf<const double>& p, const RightHandSides& columns, Index plane, double* X,
                    const double* Y) {
  const int width = columns.width;
  if (width == 1) return kBackward<double>[columns.planes - 1](p, plane, X, Y);
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

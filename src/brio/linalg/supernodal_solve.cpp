#include "brio/linalg/supernodal_solve.hpp"

#include <algorithm>
#include <cblas.h>

namespace brio {
namespace {

/// Right-hand sides taken at a time: wide enough for BLAS to run at full speed, and it bounds the memory.
constexpr Index kMostColumns = 32;

/// The part of the factor that belongs to one front, with the right-hand sides as rows of numbers.
struct PanelSolve {
  const double* L11;
  const double* L21;
  int rows, columns, width;

  /// X = L11^-1 X
  void solve_lower(double* X) const {
    if (width == 1)
      cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, columns, L11, rows, X, 1);
    else
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, width, columns, 1, L11, rows, X,
                  width);
  }
  /// X = L11^-T X
  void solve_upper(double* X) const {
    if (width == 1)
      cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, columns, L11, rows, X, 1);
    else
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, width, columns, 1, L11, rows, X,
                  width);
  }
  /// Y = beta Y - L21 X
  void subtract_below(const double* X, double beta, double* Y) const {
    if (width == 1)
      cblas_dgemv(CblasColMajor, CblasNoTrans, rows - columns, columns, -1, L21, rows, X, 1, beta, Y, 1);
    else
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, width, rows - columns, columns, -1, X, width, L21, rows,
                  beta, Y, width);
  }
  /// X = X - L21^T Y
  void subtract_above(const double* Y, double* X) const {
    if (width == 1)
      cblas_dgemv(CblasColMajor, CblasTrans, rows - columns, columns, -1, L21, rows, Y, 1, 1, X, 1);
    else
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, width, columns, rows - columns, -1, Y, width, L21, rows, 1,
                  X, width);
  }
};

PanelSolve panel_of(const Front& front, const double* factor, Index width) {
  const double* L11 = factor + front.values;
  return {L11, L11 + 3 * front.columns, 3 * front.rows, 3 * front.columns, static_cast<int>(width)};
}

}  // namespace

void SupernodalSolver::solve(const double* factor, Eigen::Ref<MatrixXd> B) {
  const size_t needed = static_cast<size_t>(symbolic_.right_hand_side_rows) * std::min(B.cols(), kMostColumns);
  if (work_.size() < needed) work_.resize(needed);
  for (Index first = 0; first < B.cols(); first += kMostColumns) {
    Eigen::Ref<MatrixXd> part = B.middleCols(first, std::min(kMostColumns, B.cols() - first));
    tree_.upwards([&](int family) { forward(symbolic_.families[family], factor, part); });
    tree_.downwards([&](int family) { backward(symbolic_.families[family], factor, part); });
  }
}

void SupernodalSolver::forward(const Family& family, const double* factor, Eigen::Ref<MatrixXd> B) {
  const Index width = B.cols(), block = 3 * width;
  double* X = work_.data() + family.right_hand_side * width;
  for (int k = 0; k < family.columns; ++k) {
    const Index row = 3 * static_cast<Index>(symbolic_.order[family.first_column + k]);
    for (Index c = 0; c < width; ++c)
      for (int r = 0; r < 3; ++r) X[k * block + r * width + c] = B(row + r, c);
  }
  const Front& top = symbolic_.fronts[family.top];
  double* below = X + family.columns * block;
  std::fill_n(below, top.rows_below() * block, 0.0);
  for (int k = top.children_begin; family.children > 0 && k < top.children_end; ++k) {
    const Front& child = symbolic_.fronts[symbolic_.children[k]];
    const Family& from = symbolic_.families[child.family];
    const double* source = work_.data() + from.right_hand_side * width + from.columns * block;
    for (int r = 0; r < child.rows_below(); ++r) {
      double* target = X + symbolic_.rows_in_parent[child.below + r] * block;
      for (Index e = 0; e < block; ++e) target[e] += source[r * block + e];
    }
  }
  double* scratch = below + top.rows_below() * block;
  for (int f = family.first_front; f <= family.top; ++f) {
    const Front& front = symbolic_.fronts[f];
    const PanelSolve panel = panel_of(front, factor, width);
    double* own = X + (front.first_column - family.first_column) * block;
    panel.solve_lower(own);
    if (front.rows_below() == 0) continue;
    if (f == family.top) {
      panel.subtract_below(own, 1, below);
      continue;
    }
    panel.subtract_below(own, 0, scratch);
    for (int r = 0; r < front.rows_below(); ++r) {
      double* target = X + symbolic_.rows_in_family[front.below + r] * block;
      for (Index e = 0; e < block; ++e) target[e] += scratch[r * block + e];
    }
  }
}

void SupernodalSolver::backward(const Family& family, const double* factor, Eigen::Ref<MatrixXd> B) {
  const Index width = B.cols(), block = 3 * width;
  double* X = work_.data() + family.right_hand_side * width;
  const Front& top = symbolic_.fronts[family.top];
  double* below = X + family.columns * block;
  if (family.parent >= 0) {
    const double* parent = work_.data() + symbolic_.families[family.parent].right_hand_side * width;
    for (int r = 0; r < top.rows_below(); ++r)
      std::copy_n(parent + symbolic_.rows_in_parent[top.below + r] * block, block, below + r * block);
  }
  double* scratch = below + top.rows_below() * block;
  for (int f = family.top; f >= family.first_front; --f) {
    const Front& front = symbolic_.fronts[f];
    const PanelSolve panel = panel_of(front, factor, width);
    double* own = X + (front.first_column - family.first_column) * block;
    if (front.rows_below() > 0) {
      if (f != family.top)
        for (int r = 0; r < front.rows_below(); ++r)
          std::copy_n(X + symbolic_.rows_in_family[front.below + r] * block, block, scratch + r * block);
      panel.subtract_above(f == family.top ? below : scratch, own);
    }
    panel.solve_upper(own);
  }
  for (int k = 0; k < family.columns; ++k) {
    const Index row = 3 * static_cast<Index>(symbolic_.order[family.first_column + k]);
    for (Index c = 0; c < width; ++c)
      for (int r = 0; r < 3; ++r) B(row + r, c) = X[k * block + r * width + c];
  }
}

}  // namespace brio

#include "brio/linalg/supernodal_solve.hpp"

#include "brio/linalg/supernodal_kernels.hpp"
#include "brio/linalg/supernodal_panel_solve.hpp"

#include <algorithm>

namespace brio {
namespace {

/// Right-hand sides taken at a time: it bounds the memory.
constexpr Index kMostColumns = 32;

}  // namespace

void SupernodalSolver::solve(double* factor, Eigen::Ref<MatrixXd> B) {
  for (Index first = 0; first < B.cols(); first += kMostColumns) {
    Eigen::Ref<MatrixXd> part = B.middleCols(first, std::min(kMostColumns, B.cols() - first));
    const int width = part.cols() == 1 ? 1 : padded(static_cast<int>(part.cols()));
    const size_t needed = static_cast<size_t>(symbolic_.right_hand_sides) * width;
    if (work_.size() < needed) work_.resize(needed);
    tree_.upwards([&](int family) { forward(symbolic_.families[family], factor, part, width); });
    tree_.downwards([&](int family) { backward(symbolic_.families[family], factor, part, width); });
  }
}

void SupernodalSolver::load(const Family& family, const Eigen::Ref<MatrixXd>& B, int width, double* X) const {
  for (int k = 0; k < family.columns; ++k, X += width) {
    const Index row = symbolic_.order[family.first_column + k];
    for (Index c = 0; c < B.cols(); ++c) X[c] = B(row, c);
    for (Index c = B.cols(); c < width; ++c) X[c] = 0;
  }
}

void SupernodalSolver::store(const Family& family, const double* X, int width, Eigen::Ref<MatrixXd>& B) const {
  for (int k = 0; k < family.columns; ++k, X += width) {
    const Index row = symbolic_.order[family.first_column + k];
    for (Index c = 0; c < B.cols(); ++c) B(row, c) = X[c];
  }
}

void SupernodalSolver::forward(const Family& family, double* factor, const Eigen::Ref<MatrixXd>& B, int width) {
  const auto add_runs = [&](std::span<const RowRun> runs, const double* from, double* to) {
    for (const RowRun& run : runs) {
      const double* source = from + run.row * width;
      double* target = to + run.target * width;
      for (Index e = 0; e < static_cast<Index>(run.length) * width; ++e) target[e] += source[e];
    }
  };
  const Front& top = symbolic_.fronts[family.top];
  double* X = right_hand_side(family, width);
  double* below = X + family.columns * width;
  double* scratch = below + top.below * width;
  load(family, B, width, X);
  std::fill_n(below, top.below * width, 0.0);
  if (family.children > 0) {
    for (int child : symbolic_.children_of(top)) {
      const Family& from = symbolic_.families[symbolic_.fronts[child].family];
      add_runs(symbolic_.runs_in_parent(symbolic_.fronts[child]), right_hand_side(from, width) + from.columns * width,
               X);
    }
  }
  for (int f = family.first_front; f <= family.top; ++f) {
    const Front& front = symbolic_.fronts[f];
    double* Y = f == family.top ? below : scratch;
    if (f < family.top) std::fill_n(scratch, front.below * width, 0.0);
    solve_forward(front.panel(factor), width, X + (front.first_column - family.first_column) * width, Y);
    if (f < family.top) add_runs(symbolic_.runs_in_family(front), scratch, X);
  }
}

void SupernodalSolver::backward(const Family& family, double* factor, Eigen::Ref<MatrixXd>& B, int width) {
  const auto fetch_runs = [&](std::span<const RowRun> runs, const double* from, double* to) {
    for (const RowRun& run : runs) std::copy_n(from + run.target * width, run.length * width, to + run.row * width);
  };
  const Front& top = symbolic_.fronts[family.top];
  double* X = right_hand_side(family, width);
  double* below = X + family.columns * width;
  double* scratch = below + top.below * width;
  if (family.parent >= 0)
    fetch_runs(symbolic_.runs_in_parent(top), right_hand_side(symbolic_.families[family.parent], width), below);
  for (int f = family.top; f >= family.first_front; --f) {
    const Front& front = symbolic_.fronts[f];
    if (f < family.top) fetch_runs(symbolic_.runs_in_family(front), X, scratch);
    solve_backward(front.panel(factor), width, X + (front.first_column - family.first_column) * width,
                   f == family.top ? below : scratch);
  }
  store(family, X, width, B);
}

}  // namespace brio

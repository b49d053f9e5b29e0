#include "brio/linalg/supernodal_solve.hpp"

#include "brio/linalg/supernodal_kernels.hpp"

#include <algorithm>

namespace brio {
namespace {

/// Right-hand sides taken at a time: it bounds the memory.
template <class Number>
constexpr Index kMostColumns = 32;
template <>
constexpr Index kMostColumns<float> = kMostPlanes;

}  // namespace

template <class Number>
void SupernodalSolver::solve(const Number* factor, Eigen::Ref<MatrixXd> B) {
  for (Index first = 0; first < B.cols(); first += kMostColumns<Number>) {
    Eigen::Ref<MatrixXd> part = B.middleCols(first, std::min(kMostColumns<Number>, B.cols() - first));
    const RightHandSides columns = prepare(part.cols());
    tree_.upwards([&](int family) { forward(symbolic_.families[family], factor, part, columns); });
    tree_.downwards([&](int family) { backward(symbolic_.families[family], factor, part, columns); });
  }
}

template <class Number>
void SupernodalSolver::forward(const Number* factor, Eigen::Ref<MatrixXd> B) {
  const RightHandSides columns = prepare(B.cols());
  tree_.upwards([&](int family) { forward(symbolic_.families[family], factor, B, columns); });
  for_each_kept(columns, [&](Index row, Index c, double& number) { B(row, c) = number; });
}

template <class Number>
void SupernodalSolver::backward(const Number* factor, Eigen::Ref<MatrixXd> B) {
  const RightHandSides columns = prepare(B.cols());
  for_each_kept(columns, [&](Index row, Index c, double& number) { number = B(row, c); });
  tree_.downwards([&](int family) { backward(symbolic_.families[family], factor, B, columns); });
}

RightHandSides SupernodalSolver::prepare(Index columns) {
  const RightHandSides sides = RightHandSides::of(static_cast<int>(columns));
  const size_t needed = static_cast<size_t>(symbolic_.right_hand_sides) * sides.count();
  if (work_.size() < needed) work_.resize(needed);
  return sides;
}

template <class Visit>
void SupernodalSolver::for_each_kept(const RightHandSides& columns, const Visit& visit) {
  if (symbolic_.fronts.empty() || !symbolic_.fronts.back().kept) return;
  const Front& front = symbolic_.fronts.back();
  const Family& family = symbolic_.families[front.family];
  for (int c = 0; c < columns.planes; ++c) {
    double* X = right_hand_side(family, columns) + c * plane(family) + front.first_column - family.first_column;
    for (int k = 0; k < front.columns; ++k) visit(symbolic_.order[front.first_column + k], c, X[k]);
  }
}

void SupernodalSolver::load(const Family& family, const Eigen::Ref<MatrixXd>& B, const RightHandSides& columns,
                            double* X) const {
  const Index apart = columns.width > 1 ? 1 : plane(family);
  for (int k = 0; k < family.columns; ++k, X += columns.width) {
    const Index row = symbolic_.order[family.first_column + k];
    for (Index c = 0; c < B.cols(); ++c) X[c * apart] = B(row, c);
    for (Index c = B.cols(); c < columns.width; ++c) X[c] = 0;
  }
}

void SupernodalSolver::store(const Family& family, const double* X, const RightHandSides& columns,
                             Eigen::Ref<MatrixXd>& B) const {
  const Index apart = columns.width > 1 ? 1 : plane(family);
  for (int k = 0; k < family.columns; ++k, X += columns.width) {
    const Index row = symbolic_.order[family.first_column + k];
    for (Index c = 0; c < B.cols(); ++c) B(row, c) = X[c * apart];
  }
}

template <class Number>
void SupernodalSolver::forward(const Family& family, const Number* factor, const Eigen::Ref<MatrixXd>& B,
                               const RightHandSides& columns) {
  const Index width = columns.width, here = plane(family);
  const auto add_runs = [&](std::span<const RowRun> runs, const double* from, Index from_plane, double* to) {
    for (int p = 0; p < columns.planes; ++p, from += from_plane, to += here) {
      for (const RowRun& run : runs) {
        const double* source = from + run.row * width;
        double* target = to + run.target * width;
        for (Index e = 0; e < run.length * width; ++e) target[e] += source[e];
      }
    }
  };
  const auto set_zero = [&](double* to, int rows) {
    for (int p = 0; p < columns.planes; ++p) std::fill_n(to + p * here, rows * width, 0.0);
  };
  const Front& top = symbolic_.fronts[family.top];
  double* X = right_hand_side(family, columns);
  double* below = X + family.columns * width;
  double* scratch = below + top.below * width;
  load(family, B, columns, X);
  set_zero(below, top.below);
  if (family.children > 0) {
    for (int child : symbolic_.children_of(top)) {
      const Family& from = symbolic_.families[symbolic_.fronts[child].family];
      add_runs(symbolic_.runs_in_parent(symbolic_.fronts[child]), right_hand_side(from, columns) + from.columns * width,
               plane(from), X);
    }
  }
  for (int f = family.first_front; f <= family.top; ++f) {
    const Front& front = symbolic_.fronts[f];
    double* Y = f == family.top ? below : scratch;
    if (f < family.top) set_zero(scratch, front.below);
    if (!front.kept)
      solve_forward(front.panel(factor), columns, here, X + (front.first_column - family.first_column) * width, Y);
    if (f < family.top) add_runs(symbolic_.runs_in_family(front), scratch, here, X);
  }
}

template <class Number>
void SupernodalSolver::backward(const Family& family, const Number* factor, Eigen::Ref<MatrixXd>& B,
                                const RightHandSides& columns) {
  const Index width = columns.width, here = plane(family);
  const auto fetch_runs = [&](std::span<const RowRun> runs, const double* from, Index from_plane, double* to) {
    for (int p = 0; p < columns.planes; ++p, from += from_plane, to += here)
      for (const RowRun& run : runs) std::copy_n(from + run.target * width, run.length * width, to + run.row * width);
  };
  const auto pad = [&](double* to, int rows) {
    for (int p = 0; p < columns.planes; ++p) std::fill_n(to + p * here + rows * width, kRowLanes, 0.0);
  };
  const Front& top = symbolic_.fronts[family.top];
  double* X = right_hand_side(family, columns);
  double* below = X + family.columns * width;
  double* scratch = below + top.below * width;
  if (family.parent >= 0) {
    const Family& parent = symbolic_.families[family.parent];
    fetch_runs(symbolic_.runs_in_parent(top), right_hand_side(parent, columns), plane(parent), below);
  }
  pad(below, top.below);
  for (int f = family.top; f >= family.first_front; --f) {
    const Front& front = symbolic_.fronts[f];
    if (f < family.top) {
      fetch_runs(symbolic_.runs_in_family(front), X, here, scratch);
      pad(scratch, front.below);
    }
    if (front.kept) continue;
    solve_backward(front.panel(factor), columns, here, X + (front.first_column - family.first_column) * width,
                   f == family.top ? below : scratch);
  }
  store(family, X, columns, B);
}

template void SupernodalSolver::solve(const double*, Eigen::Ref<MatrixXd>);
template void SupernodalSolver::solve(const float*, Eigen::Ref<MatrixXd>);
template void SupernodalSolver::forward(const float*, Eigen::Ref<MatrixXd>);
template void SupernodalSolver::backward(const float*, Eigen::Ref<MatrixXd>);

}  // namespace brio

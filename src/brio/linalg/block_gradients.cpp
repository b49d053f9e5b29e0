#include "brio/linalg/block_gradients.hpp"

#include "brio/core/parallel.hpp"

#include <array>
#include <cmath>

namespace brio {
namespace {

constexpr int kGrain = 2048;
using Sums = std::array<double, BlockGradients::kWidth>;

/// The inner products of the columns of X with those of Y.
Sums column_dots(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& Y) {
  Sums sums{};
  for (Index c = 0; c < X.cols(); ++c)
    sums[c] = parallel_sum(static_cast<int>(X.rows()), kGrain, [&](int begin, int end) {
      return X.col(c).segment(begin, end - begin).dot(Y.col(c).segment(begin, end - begin));
    });
  return sums;
}

}  // namespace

GradientsReport BlockGradients::solve(const BlockMatrix& A, Preconditioner& preconditioner,
                                      const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, double tolerance,
                                      int most) {
  GradientsReport report;
  const Index n = B.rows(), width = B.cols();
  const int rows = static_cast<int>(n);
  for (MatrixXd* block : {&residual_, &direction_, &product_, &z_})
    if (block->rows() != n || block->cols() < width) block->resize(n, width);
  auto R = residual_.leftCols(width), P = direction_.leftCols(width), Q = product_.leftCols(width);
  auto Z = z_.leftCols(width);
  const auto for_rows = [&](const auto& body) {
    parallel_for(rows, kGrain, [&](int begin, int end) {
      for (Index c = 0; c < width; ++c) body(c, begin, end - begin);
    });
  };

  const auto multiply = [&](const auto& from, auto& to) {
    if (width == 1) return A.multiply(from.data(), to.data());
    A.multiply(from, to, work_);
  };
  preconditioner.apply(B, Z);
  const Sums whole = column_dots(B, Z);
  // What is no number stays none, as with a factor.
  for (Index c = 0; c < width; ++c)
    if (!std::isfinite(whole[c])) X.col(c).setConstant(whole[c]);
  const bool warm = !X.isZero(0);
  if (warm) {
    multiply(X, Q);
    for_rows([&](Index c, int begin, int count) {
      R.col(c).segment(begin, count) = B.col(c).segment(begin, count) - Q.col(c).segment(begin, count);
    });
    preconditioner.apply(R, Z);
  } else {
    for_rows([&](Index c, int begin, int count) { R.col(c).segment(begin, count) = B.col(c).segment(begin, count); });
  }
  Sums rz = warm ? column_dots(R, Z) : whole, step{}, keep{};
  std::array<bool, kWidth> open{};
  const auto still_open = [&] {
    bool any = false;
    for (Index c = 0; c < width; ++c) any |= open[c] = std::fabs(rz[c]) > tolerance * tolerance * whole[c];
    return any;
  };
  while (still_open()) {
    if (report.iterations == most) return report;
    ++report.iterations;
    for_rows([&](Index c, int begin, int count) {
      auto p = P.col(c).segment(begin, count);
      p = report.iterations == 1 ? Z.col(c).segment(begin, count).eval()
                                 : (Z.col(c).segment(begin, count) + keep[c] * p).eval();
    });
    multiply(P, Q);
    const Sums curvature = column_dots(P, Q);
    for (Index c = 0; c < width; ++c) {
      if (open[c] && !(curvature[c] > 0) && rz[c] > 0) {
        report.indefinite = true;
        return report;
      }
      step[c] = open[c] ? rz[c] / curvature[c] : 0;
    }
    for_rows([&](Index c, int begin, int count) {
      X.col(c).segment(begin, count) += step[c] * P.col(c).segment(begin, count);
      R.col(c).segment(begin, count) -= step[c] * Q.col(c).segment(begin, count);
    });
    preconditioner.apply(R, Z);
    const Sums next = column_dots(R, Z);
    for (Index c = 0; c < width; ++c) {
      keep[c] = open[c] && rz[c] > 0 ? next[c] / rz[c] : 0;
      if (open[c]) rz[c] = next[c];
      if (open[c] && !(std::isfinite(rz[c]) && rz[c] >= 0)) return report;  // the preconditioner has lost its digits
    }
  }
  report.converged = true;
  return report;
}

}  // namespace brio

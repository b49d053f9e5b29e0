#include "brio/linalg/block_gradients.hpp"

#include "brio/core/parallel.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace brio {
namespace {

constexpr int kGrain = 2048;
using Sums = std::array<double, BlockGradients::kWidth>;

/// x . y
double column_dot(const Eigen::Ref<const VectorXd>& x, const Eigen::Ref<const VectorXd>& y) {
  return parallel_sum(static_cast<int>(x.size()), kGrain, [&](int begin, int end) {
    return x.segment(begin, end - begin).dot(y.segment(begin, end - begin));
  });
}

}  // namespace

GradientsReport BlockGradients::solve(const BlockMatrix& A, Preconditioner& preconditioner,
                                      const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X,
                                      std::span<const double> tolerance, int most) {
  // The residual is measured by the preconditioner. How it has changed since then, its plain norm tells well enough to
  // save the last application, which would do nothing but measure.
  constexpr double kSafe = 4;
  GradientsReport report;
  const Index n = B.rows();
  for (MatrixXd* block : {&residual_, &direction_, &product_, &z_})
    if (block->rows() != n || block->cols() < B.cols()) block->resize(n, B.cols());
  MatrixXd &R = residual_, &P = direction_, &Q = product_, &Z = z_;
  std::array<Index, kWidth> which;  // column of B and X, by column of the blocks
  std::iota(which.begin(), which.end(), Index{0});
  Index width = B.cols();
  Sums rz{}, rr{}, step{}, keep{};
  const auto for_rows = [&](const auto& body) {
    parallel_for(static_cast<int>(n), kGrain, [&](int begin, int end) {
      for (Index c = 0; c < width; ++c) body(c, begin, end - begin);
    });
  };
  const auto multiply = [&](const auto& from, Eigen::Ref<MatrixXd> to) {
    if (from.cols() == 1) return A.multiply(from.data(), to.data());
    A.multiply(from, to, work_);
  };
  const auto is_near = [&](Index c, double squared_error) {
    const double allowed = tolerance[which[c]], whole = column_dot(X.col(which[c]), B.col(which[c]));
    return squared_error <= allowed * allowed * whole;
  };
  /// The last column takes the place of one that is done.
  const auto retire = [&](Index c) {
    const Index last = --width;
    if (c == last) return;
    for (MatrixXd* block : {&R, &P, &Z}) block->col(c) = block->col(last);
    which[c] = which[last];
    rz[c] = rz[last], rr[c] = rr[last], keep[c] = keep[last];
  };

  if (X.isZero(0)) {
    R.leftCols(width) = B;
  } else {
    multiply(X, Q.leftCols(width));
    for (Index c = 0; c < width; ++c) {  // the best multiple of what is given
      const double along = column_dot(X.col(c), B.col(c)), size = column_dot(X.col(c), Q.col(c)), share = along / size;
      X.col(c) *= size > 0 && std::isfinite(share) ? share : 0;
      R.col(c) = B.col(c);
      if (size > 0 && std::isfinite(share)) R.col(c) -= share * Q.col(c);
    }
  }
  for (Index c = 0; c < width; ++c) rr[c] = column_dot(R.col(c), R.col(c));
  while (true) {
    preconditioner.apply(R.leftCols(width), Z.leftCols(width));
    ++report.applications;
    report.columns += static_cast<int>(width);
    const bool first = report.iterations == 0;
    for (Index c = width - 1; c >= 0; --c) {
      const double next = column_dot(R.col(c), Z.col(c));
      const bool number = std::isfinite(next);
      if (first && !number) X.col(which[c]).setConstant(next);  // what is no number stays none, as with a factor
      keep[c] = first ? 0 : next / rz[c];
      rz[c] = next;
      if ((first && !number) || is_near(c, std::fabs(next)))
        retire(c);
      else if (!(number && next >= 0))
        return report;  // the preconditioner has lost its digits
    }
    if (width == 0) break;
    if (report.iterations == most) return report;
    ++report.iterations;
    for_rows([&](Index c, int begin, int count) {
      auto p = P.col(c).segment(begin, count);
      const auto z = Z.col(c).segment(begin, count);
      if (first)
        p = z;
      else
        p = z + keep[c] * p;
    });
    multiply(P.leftCols(width), Q.leftCols(width));
    for (Index c = 0; c < width; ++c) {
      const double curvature = column_dot(P.col(c), Q.col(c));
      if (!(curvature > 0) && rz[c] > 0) {
        report.indefinite = true;
        return report;
      }
      step[c] = rz[c] / curvature;
    }
    for_rows([&](Index c, int begin, int count) {
      X.col(which[c]).segment(begin, count) += step[c] * P.col(c).segment(begin, count);
      R.col(c).segment(begin, count) -= step[c] * Q.col(c).segment(begin, count);
    });
    for (Index c = width - 1; c >= 0; --c) {
      const double before = rr[c];
      rr[c] = column_dot(R.col(c), R.col(c));
      if (is_near(c, kSafe * rz[c] * rr[c] / before)) retire(c);
    }
    if (width == 0) break;
  }
  report.converged = true;
  return report;
}

}  // namespace brio

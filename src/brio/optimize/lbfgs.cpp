#include "brio/optimize/lbfgs.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/tall_products.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kRowsPerTask = 2048;

}  // namespace

void Lbfgs::remember(const VectorXd& s, const VectorXd& t) {
  if (window_ == 0) return;
  const int n = static_cast<int>(s.size());
  const detail::Chunks chunks(n, kRowsPerTask);
  partial_.resize(3, chunks.count);
  parallel_for(n, kRowsPerTask, [&](int begin, int end) {
    const auto a = s.segment(begin, end - begin), b = t.segment(begin, end - begin);
    partial_.col(begin / chunks.length) << a.dot(b), b.squaredNorm(), a.squaredNorm();
  });
  for (int c = 1; c < chunks.count; ++c) partial_.col(0) += partial_.col(c);
  const double curvature = partial_(0, 0), tt = partial_(1, 0), ss = partial_(2, 0);
  if (!(curvature > 1e-12 * std::sqrt(tt * ss))) return;
  if (S_.rows() != n) {
    S_.resize(n, window_);
    T_.resize(n, window_);
    st_.setZero(window_, window_);
    clear();
  }
  if (pending_) multiply_steps(s);
  newest_ = pairs_ == 0 ? 0 : (newest_ + 1) % window_;
  pairs_ = std::min(pairs_ + 1, window_);
  parallel_for(n, kRowsPerTask, [&](int begin, int end) {
    S_.col(newest_).segment(begin, end - begin) = s.segment(begin, end - begin);
    T_.col(newest_).segment(begin, end - begin) = t.segment(begin, end - begin);
  });
  pending_ = true;
  inverse_curvature_ = curvature / tt;
}

void Lbfgs::before_solve(VectorXd& q) {
  zeta_.setZero(pairs_);
  if (pairs_ == 0) return;
  multiply_steps(q);
  for (int age = 0; age < pairs_; ++age) {
    const int i = column(age);
    double s_q = dots_(i, 0);  // with q as the newer pairs have left it
    for (int newer = 0; newer < age; ++newer) s_q -= zeta_[column(newer)] * st_(i, column(newer));
    zeta_[i] = s_q / st_(i, i);
  }
  weights_ = -zeta_;
  add_tall(T_.leftCols(pairs_), weights_, q);
}

void Lbfgs::multiply_steps(const VectorXd& q) {
  constexpr int kTile = 256;  // rows of all columns that stay in the cache
  const int n = static_cast<int>(q.size());
  const detail::Chunks chunks(n, kRowsPerTask);
  partial_.setZero(pairs_, 2 * chunks.count);
  parallel_for(n, kRowsPerTask, [&](int begin, int end) {
    auto sum = partial_.middleCols<2>(2 * (begin / chunks.length));
    for (int first = begin; first < end; first += kTile) {
      const int count = std::min(kTile, end - first);
      const auto S = S_.block(first, 0, count, pairs_);
      sum.col(0).noalias() += S.transpose() * q.segment(first, count);
      sum.col(1).noalias() += S.transpose() * T_.col(newest_).segment(first, count);
    }
  });
  dots_ = partial_.leftCols<2>();
  for (int c = 1; c < chunks.count; ++c) dots_ += partial_.middleCols<2>(2 * c);
  st_.col(newest_).head(pairs_) = dots_.col(1);
  pending_ = false;
}

void Lbfgs::after_solve(VectorXd& r) const {
  if (pairs_ == 0) return;
  multiply_transposed(T_.leftCols(pairs_), r, dots_, scratch_);
  weights_.setZero(pairs_);
  for (int age = pairs_ - 1; age >= 0; --age) {
    const int i = column(age);
    double t_r = dots_(i, 0);  // with r as the older pairs have left it
    for (int older = pairs_ - 1; older > age; --older) t_r += weights_[column(older)] * st_(column(older), i);
    weights_[i] = zeta_[i] - t_r / st_(i, i);
  }
  add_tall(S_.leftCols(pairs_), weights_, r);
}

}  // namespace brio

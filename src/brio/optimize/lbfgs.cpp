#include "brio/optimize/lbfgs.hpp"

#include "brio/linalg/tall_products.hpp"

#include <algorithm>

namespace brio {

void Lbfgs::remember(const VectorXd& s, const VectorXd& t) {
  if (window_ == 0) return;
  const double curvature = parallel_dot(s, t), tt = parallel_dot(t, t);
  if (!(curvature > 1e-12 * std::sqrt(tt * parallel_dot(s, s)))) return;
  if (S_.rows() != s.size()) {
    S_.resize(s.size(), window_);
    T_.resize(s.size(), window_);
    st_.setZero(window_, window_);
    pairs_ = 0;
  }
  newest_ = pairs_ == 0 ? 0 : (newest_ + 1) % window_;
  pairs_ = std::min(pairs_ + 1, window_);
  S_.col(newest_) = s;
  T_.col(newest_) = t;
  multiply_transposed(S_.leftCols(pairs_), t, dots_, scratch_);
  st_.col(newest_).head(pairs_) = dots_;
  multiply_transposed(T_.leftCols(pairs_), s, dots_, scratch_);
  st_.row(newest_).head(pairs_) = dots_.transpose();
  inverse_curvature_ = curvature / tt;
}

void Lbfgs::before_solve(VectorXd& q) {
  zeta_.setZero(pairs_);
  if (pairs_ == 0) return;
  multiply_transposed(S_.leftCols(pairs_), q, dots_, scratch_);
  for (int age = 0; age < pairs_; ++age) {
    const int i = column(age);
    double s_q = dots_(i, 0);  // with q as the newer pairs have left it
    for (int newer = 0; newer < age; ++newer) s_q -= zeta_[column(newer)] * st_(i, column(newer));
    zeta_[i] = s_q / st_(i, i);
  }
  weights_ = -zeta_;
  add_tall(T_.leftCols(pairs_), weights_, q);
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

#include "brio/linalg/conjugate_gradients.hpp"

#include "brio/linalg/tall_products.hpp"

#include <cmath>

namespace brio {
namespace {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// L L^T ~ A without fill: what falls outside A's pattern is dropped.
class IncompleteCholesky {
 public:
  explicit IncompleteCholesky(std::shared_ptr<const BlockPattern> pattern) : pattern_(pattern), L_(pattern) {}

  /// Dropping can make a pivot negative although A is positive definite; then the diagonal is raised (Manteuffel 1980).
  FactorStatus factor(const BlockMatrix& A) {
    if (try_factor(A, 1)) return FactorStatus::ok;
    for (double raise = 1e-3; raise < 10; raise *= 4)
      if (try_factor(A, 1 + raise)) return FactorStatus::ok;
    return FactorStatus::not_positive_definite;
  }

  /// x = (L L^T)^-1 b
  void solve(const VectorXd& b, VectorXd& x) const {
    const BlockPattern& p = *pattern_;
    x = b;
    for (int j = 0; j < p.blocks_per_side; ++j) {
      const int diagonal = p.column_begin[j];
      auto xj = x.segment<3>(3 * j);
      at(diagonal).triangularView<Eigen::Lower>().solveInPlace(xj);
      for (int s = diagonal + 1; s < p.column_begin[j + 1]; ++s)
        x.segment<3>(3 * p.row[s]).noalias() -= at(s).lazyProduct(xj);
    }
    for (int j = p.blocks_per_side - 1; j >= 0; --j) {
      const int diagonal = p.column_begin[j];
      auto xj = x.segment<3>(3 * j);
      for (int s = diagonal + 1; s < p.column_begin[j + 1]; ++s)
        xj.noalias() -= at(s).transpose().lazyProduct(x.segment<3>(3 * p.row[s]));
      at(diagonal).transpose().triangularView<Eigen::Upper>().solveInPlace(xj);
    }
  }

 private:
  Eigen::Map<Block> at(int slot) { return Eigen::Map<Block>(L_.block(slot)); }
  Eigen::Map<const Block> at(int slot) const { return Eigen::Map<const Block>(L_.block(slot)); }

  bool try_factor(const BlockMatrix& A, double diagonal_factor) {
    const BlockPattern& p = *pattern_;
    L_ = A;
    for (int j = 0; j < p.blocks_per_side; ++j) at(p.column_begin[j]).diagonal() *= diagonal_factor;
    for (int j = 0; j < p.blocks_per_side; ++j) {
      const int diagonal = p.column_begin[j], end = p.column_begin[j + 1];
      if (!factor_block(at(diagonal))) return false;
      const Block pivot = at(diagonal);
      for (int s = diagonal + 1; s < end; ++s)  // L_ij = A_ij L_jj^-T
        pivot.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(at(s));
      for (int k = diagonal + 1; k < end; ++k) {  // A_ik -= L_ij L_kj^T where the pattern has (i, k)
        const Block factor = at(k).transpose();
        int target = p.column_begin[p.row[k]];
        const int target_end = p.column_begin[p.row[k] + 1];
        for (int s = k; s < end; ++s) {
          while (target < target_end && p.row[target] < p.row[s]) ++target;
          if (target == target_end) break;
          if (p.row[target] == p.row[s]) at(target).noalias() -= at(s).lazyProduct(factor);
        }
      }
    }
    return true;
  }

  /// Replaces a symmetric block by its lower Cholesky factor.
  static bool factor_block(Eigen::Map<Block> a) {
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < c; ++k) a(c, c) -= a(c, k) * a(c, k);
      if (!(a(c, c) > 0) || !std::isfinite(a(c, c))) return false;
      a(c, c) = std::sqrt(a(c, c));
      for (int r = c + 1; r < 3; ++r) {
        for (int k = 0; k < c; ++k) a(r, c) -= a(r, k) * a(c, k);
        a(r, c) /= a(c, c);
        a(c, r) = 0;
      }
    }
    return true;
  }

  std::shared_ptr<const BlockPattern> pattern_;
  BlockMatrix L_;
};

class ConjugateGradients final : public BlockSolver {
 public:
  ConjugateGradients(std::shared_ptr<const BlockPattern> pattern, double tolerance, int iterations)
      : pattern_(pattern), A_(pattern), preconditioner_(pattern), tolerance_(tolerance), iterations_(iterations) {}

  FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) override {
    A_.set_sum(scale, K, 0, K);
    for (int j = 0; j < pattern_->blocks_per_side; ++j)
      Eigen::Map<Block>(A_.block(pattern_->column_begin[j])).diagonal() += shift.segment<3>(3 * j);
    return preconditioner_.factor(A_);
  }

  void solve(Eigen::Ref<MatrixXd> B) override {
    for (Index c = 0; c < B.cols(); ++c) {
      residual_ = B.col(c);
      iterate();
      B.col(c) = x_;
    }
  }

 private:
  /// x_ = A^-1 residual_, from 0.
  void iterate() {
    x_.setZero(residual_.size());
    const double enough = tolerance_ * std::sqrt(parallel_dot(residual_, residual_));
    preconditioner_.solve(residual_, z_);
    direction_ = z_;
    double rz = parallel_dot(residual_, z_);
    for (int i = 0; i < iterations_ && rz > 0; ++i) {
      A_.multiply(direction_, product_);
      const double curvature = parallel_dot(direction_, product_);
      if (!(curvature > 0)) return;  // where A is not positive definite, what has been found so far points downhill
      const double step = rz / curvature;
      x_ += step * direction_;
      residual_ -= step * product_;
      if (std::sqrt(parallel_dot(residual_, residual_)) <= enough) return;
      preconditioner_.solve(residual_, z_);
      const double next = parallel_dot(residual_, z_);
      direction_ = z_ + next / rz * direction_;
      rz = next;
    }
  }

  std::shared_ptr<const BlockPattern> pattern_;
  BlockMatrix A_;
  IncompleteCholesky preconditioner_;
  double tolerance_;
  int iterations_;
  VectorXd x_, residual_, z_, direction_, product_;
};

}  // namespace

std::unique_ptr<BlockSolver> make_conjugate_gradients(std::shared_ptr<const BlockPattern> pattern, double tolerance,
                                                      int iterations) {
  return std::make_unique<ConjugateGradients>(std::move(pattern), tolerance, iterations);
}

}  // namespace brio

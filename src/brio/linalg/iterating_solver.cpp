#include "brio/linalg/iterating_solver.hpp"

#include <algorithm>
#include <utility>

namespace brio {

SolverWork IteratingSolver::take_work() { return std::exchange(work_, SolverWork{}); }

void IteratingSolver::set_matrix(const BlockMatrix& K, double scale, const VectorXd& shift) {
  A_.set_shifted(scale, K, shift);
  status_ = FactorStatus::ok;
  exact_ = rigid_set_ = false;
}

FactorStatus IteratingSolver::factor_whole() {
  if (!cholesky_) {
    cholesky_ = make_cholesky(pattern_);
    zero_.setZero(3 * static_cast<Index>(pattern_->blocks_per_side));
  }
  ++work_.factorizations;
  const FactorStatus status = cholesky_->factor(A_, 1, zero_);
  exact_ = has_factor_ = status == FactorStatus::ok;
  return status;
}

void IteratingSolver::solve(Eigen::Ref<MatrixXd> B) {
  for (Index first = 0; first < B.cols(); first += BlockGradients::kWidth)
    solve_block(B.middleCols(first, std::min<Index>(BlockGradients::kWidth, B.cols() - first)));
}

void IteratingSolver::solve_block(Eigen::Ref<MatrixXd> B) {
  if (exact_) return cholesky_->solve(B);
  if (status_ != FactorStatus::ok || B.size() == 0) return;
  X_.setZero(B.rows(), B.cols());
  const GradientsReport found = gradients_.solve(A_, preconditioner(), B, X_, tolerance_, most_iterations(B.cols()));
  work_.iterations += found.iterations;
  book(found, B.cols());
  if (!found.converged && !found.indefinite) {
    ++work_.fallbacks;
    if (can_factor()) {
      status_ = factor_whole();
      if (exact_) return cholesky_->solve(B);
    } else {
      ++work_.unconverged;
    }
  }
  if (found.indefinite) status_ = FactorStatus::not_positive_definite;
  if (!rigid_set_) rigid_.set([this](const MatrixXd& X, MatrixXd& Y) { A_.multiply(X, Y, work_room_); }, q_);
  rigid_set_ = true;
  rigid_.correct(B, X_);
  B = X_;
}

}  // namespace brio

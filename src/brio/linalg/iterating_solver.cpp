#include "brio/linalg/iterating_solver.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace brio {

SolverWork IteratingSolver::take_work() { return std::exchange(work_, SolverWork{}); }

void IteratingSolver::set_matrix(const BlockMatrix& K, double scale, const VectorXd& shift) {
  A_.set_shifted(scale, K, shift);
  status_ = FactorStatus::ok;
  exact_ = rigid_set_ = guessed_ = false;
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
  if (exact_) return cholesky_->solve(B);
  X_.setZero(B.rows(), B.cols());
  improve(B, X_, B.cols());
  if (exact_ || status_ == FactorStatus::ok) B = X_;
}

void IteratingSolver::improve(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index exact) {
  constexpr Index kWidth = BlockGradients::kWidth;
  const bool first = recycles() && !guessed_ && exact > 0 && X.size() > 0 && X.col(0).isZero(0);
  if (first && !exact_) recycled_.guess(A_, B.col(0), X.col(0));
  guessed_ |= first;
  for (Index begin = 0; begin < B.cols(); begin += kWidth) {
    const Index width = std::min(kWidth, B.cols() - begin);
    improve_block(B.middleCols(begin, width), X.middleCols(begin, width), exact - begin);
  }
  if (first) recycled_.keep(X.col(0));
}

void IteratingSolver::improve_block(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index exact) {
  const auto factored = [&] {
    X = B;
    cholesky_->solve(X);
  };
  if (exact_) return factored();
  if (status_ != FactorStatus::ok || B.size() == 0) return;
  std::array<double, BlockGradients::kWidth> tolerance;
  const double rough = rough_tolerance();
  for (Index c = 0; c < B.cols(); ++c) tolerance[c] = c < exact ? tolerance_ : rough;
  const GradientsReport found = gradients_.solve(A_, preconditioner(), B, X, tolerance, most_iterations(B.cols()));
  work_.iterations += found.iterations;
  book(found);
  if (!found.converged && !found.indefinite) {
    ++work_.fallbacks;
    if (can_factor()) {
      status_ = factor_whole();
      if (exact_) return factored();
    } else {
      ++work_.unconverged;
    }
  }
  if (found.indefinite) status_ = FactorStatus::not_positive_definite;
  if (!rigid_set_) rigid_.set([this](const MatrixXd& Z, MatrixXd& AZ) { A_.multiply(Z, AZ, work_room_); }, q_);
  rigid_set_ = true;
  rigid_.correct(B, X);
}

}  // namespace brio

#pragma once
// What the Cholesky back ends share: the checks on how they are called, and the smallest pivot that counts.

#include "brio/linalg/cholesky.hpp"

namespace brio {

/// A pivot below this part of the diagonal entry that it started from has no correct digit left, because every
/// subtraction that led to it rounds by 1e-16 of that entry. Such a matrix is reported as not positive definite.
constexpr double kSmallestPivot = 1e-13;

class CholeskyBackend : public Cholesky {
 public:
  FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) final;
  FactorStatus factor(const VectorXd& slot_values, double scale, const VectorXd& shift) final;
  void solve(Eigen::Ref<MatrixXd> B) final;
  void solve_single_precision(Eigen::Ref<MatrixXd> B) final;

 protected:
  /// `block`: rows of a block of the pattern, 3 or 1.
  CholeskyBackend(std::shared_ptr<const BlockPattern> pattern, int block);
  Index rows() const { return block_ * static_cast<Index>(pattern_->blocks_per_side); }

  std::shared_ptr<const BlockPattern> pattern_;

 private:
  FactorStatus factor_checked(const double* values, Index size, int block, double scale, const VectorXd& shift);
  /// False when a pivot is not above kSmallestPivot times its diagonal entry, or not finite.
  virtual bool factor_values(const double* K, double scale, const VectorXd& shift) = 0;
  virtual void solve_factored(Eigen::Ref<MatrixXd> B) = 0;
  virtual void solve_factored_single_precision(Eigen::Ref<MatrixXd> B) { solve_factored(B); }
  void check_right_hand_sides(const Eigen::Ref<MatrixXd>& B) const;

  int block_;
  bool factored_ = false;
};

std::unique_ptr<Cholesky> make_eigen_cholesky(std::shared_ptr<const BlockPattern> pattern, int block);
std::unique_ptr<Cholesky> make_supernodal_cholesky(std::shared_ptr<const BlockPattern> pattern, int block);

}  // namespace brio

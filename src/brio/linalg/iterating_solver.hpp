#pragma once
// What the solvers by conjugate gradients share: the matrix, the iterations block by block, the momentum of free
// pieces, and the factorization that they fall back to.

#include "brio/linalg/block_gradients.hpp"
#include "brio/linalg/cholesky.hpp"
#include "brio/linalg/recycled_solutions.hpp"
#include "brio/linalg/rigid_correction.hpp"

#include <cmath>

namespace brio {

class IteratingSolver : public BlockSolver {
 public:
  void set_positions(const VectorXd& q) override { q_ = q; }
  FactorStatus status() const override { return status_; }
  SolverWork take_work() override;
  void solve(Eigen::Ref<MatrixXd> B) final;
  void improve(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index exact) final;

 protected:
  /// `free_pieces` is kept by reference.
  IteratingSolver(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::vector<int>>& free_pieces,
                  double tolerance)
      : pattern_(pattern), A_(pattern), tolerance_(tolerance), rigid_(free_pieces) {}

  /// Takes a matrix for q_ in; what was known about the last one is forgotten.
  void set_matrix(const BlockMatrix& K, double scale, const VectorXd& shift);
  /// Factors A_, whose solutions are exact from then on.
  FactorStatus factor_whole();
  /// How far a block of so many columns is iterated.
  virtual int most_iterations(Index columns) const = 0;
  virtual Preconditioner& preconditioner() = 0;
  /// Told what a block has taken.
  virtual void book(const GradientsReport&) {}
  /// Whether the first solution for a matrix is looked for near those for the matrices before.
  virtual bool recycles() const { return false; }
  void archive_recycled(Archive& archive) { recycled_.archive(archive); }
  /// How near those directions come whose errors enter a result by their squares.
  virtual double rough_tolerance() const { return std::sqrt(tolerance_); }
  /// Whether a factor of the whole matrix is at hand or can be.
  virtual bool can_factor() const { return true; }

  std::shared_ptr<const BlockPattern> pattern_;
  BlockMatrix A_;
  VectorXd q_;  ///< positions of the points [m]
  double tolerance_;
  std::unique_ptr<Cholesky> cholesky_;
  bool exact_ = false;       ///< cholesky_ is the factor of A_
  bool has_factor_ = false;  ///< cholesky_ is the factor of this or an earlier matrix
  FactorStatus status_ = FactorStatus::ok;
  SolverWork work_;

 private:
  void improve_block(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index exact);

  RecycledSolutions recycled_;
  bool guessed_ = false;  ///< a solution for this matrix
  RigidCorrection rigid_;
  bool rigid_set_ = false;
  BlockGradients gradients_;
  MatrixXd X_;
  VectorXd zero_;
  std::vector<double> work_room_;
};

}  // namespace brio

#pragma once
// Stiffness, damping and factorized combinations of them for the nodal system.

#include "brio/linalg/block_matrix.hpp"
#include "brio/system/nodal_system.hpp"
#include "brio/system/pinnable_linearization.hpp"

#include <array>
#include <utility>

namespace brio {

class NodalLinearization : public PinnableLinearization, public TouchLinearization {
 public:
  /// `solver`: for the system's pattern; without it that of the system's engine.
  explicit NodalLinearization(const NodalSystem& system, std::unique_ptr<BlockSolver> solver = nullptr,
                              Obstacles obstacles = Obstacles::felt);

  void assemble(double t, const VectorXd& q, Psd psd, VectorXd& gradient) override;
  const OutsideForces& outside() const override { return outside_; }
  TouchLinearization* touched() override { return this; }
  void set_touches(const std::vector<Touch>& touches, double weight) override;
  void multiply_stiffness(const VectorXd& x, VectorXd& y) const override { multiply(K_, x, y); }
  void multiply_damping(const VectorXd& x, VectorXd& y) const override;
  void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override {
    multiply(K_, X, Y);
  }
  void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override;
  std::optional<ProportionalDamping> proportional_damping() const override;
  bool damping_is_constant() const override { return system_.damping().beta == 0 || rest_K_; }
  std::optional<BlockMatrices> blocks() const override {
    if (system_.shared()) return std::nullopt;  // each rank has some of the rows
    return BlockMatrices{K_, rest_K_ ? *rest_K_ : K_, system_.damping().alpha, system_.damping().beta};
  }
  FactorStatus factor(double m, double d, double k, double shift) override;
  void solve(Eigen::Ref<MatrixXd> B) override { solver_->solve(B); }
  void improve(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index exact) override {
    solver_->improve(B, X, exact);
  }
  void solve_single_precision(Eigen::Ref<MatrixXd> B) override { solver_->solve_single_precision(B); }
  FactorStatus status() const override { return solver_ ? solver_->status() : FactorStatus::ok; }
  std::optional<FoundModes> engine_modes(int count, double shift) override {
    return solver().modes(K_, system_.mass(), count, shift);
  }
  int point_of(int vertex) const override { return system_.point_of(vertex); }
  Index joint_dofs() const override { return 0; }
  FactorStatus factor_pinned(const std::vector<int>& pinned, double shift) override;
  void subtract_columns(const std::vector<int>& pinned, Eigen::Ref<MatrixXd> X) const override;
  void multiply_rows(const std::vector<int>& pinned, const Eigen::Ref<const MatrixXd>& X,
                     MatrixXd& rows) const override;

  const BlockMatrix& stiffness() const { return K_; }

 private:
  /// What one touch was added to, as it was before.
  struct Untouched {
    int point;
    Mat3 block, outside_stiffness;
    Vec3 outside_gradient;
  };

  void place(const VectorXd& q);
  BlockSolver& solver();
  /// Products with a matrix of which each rank has the rows of its own points.
  void multiply(const BlockMatrix& A, const VectorXd& x, VectorXd& y) const;
  void multiply(const BlockMatrix& A, const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const;

  const NodalSystem& system_;
  Obstacles obstacles_;
  BlockMatrix K_;
  std::vector<Untouched> untouched_;
  OutsideForces outside_;
  std::unique_ptr<BlockMatrix> rest_K_;    ///< for damping with the stiffness at rest
  std::unique_ptr<BlockMatrix> combined_;  ///< k K + d beta K_rest
  VectorXd diagonal_;
  VectorXd q_;  ///< where K was assembled, while there is no solver to be told [m]
  std::vector<std::pair<int, std::array<double, 9>>> unpinned_;  ///< blocks that factor_pinned() puts back, by slot
  mutable std::vector<double> work_;                             ///< of the block products
  std::unique_ptr<BlockSolver>
      solver_;  ///< where none was given, made by the first factor(): explicit methods need none
};

}  // namespace brio

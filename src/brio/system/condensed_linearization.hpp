#pragma once
// Stiffness and damping of a condensed body: small dense matrices, and a mass that is the identity.

#include "brio/linalg/dense.hpp"
#include "brio/system/condensed_system.hpp"

namespace brio {

class CondensedLinearization : public Linearization {
 public:
  explicit CondensedLinearization(const CondensedSystem& system) : system_(system) {}

  void assemble(double t, const VectorXd& xi, Psd psd, VectorXd& gradient) override;
  const OutsideForces& outside() const override { return outside_; }
  void multiply_stiffness(const VectorXd& x, VectorXd& y) const override { y.noalias() = K_ * x; }
  void multiply_damping(const VectorXd& x, VectorXd& y) const override { y.noalias() = D_ * x; }
  void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override {
    Y.noalias() = K_ * X;
  }
  void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override {
    Y.noalias() = D_ * X;
  }
  std::optional<ProportionalDamping> proportional_damping() const override;
  FactorStatus factor(double m, double d, double k, double shift) override;
  void solve(Eigen::Ref<MatrixXd> B) override { factor_.solve_in_place(B); }

 private:
  const CondensedSystem& system_;
  OutsideForces outside_;  ///< none: a condensed body has no free pieces
  MatrixXd K_, D_, A_;
  DenseCholesky factor_;
};

}  // namespace brio

#pragma once
// Stiffness, damping and factors of tissue and bones together: the sparse matrix of the tissue, bordered by a few dense
// rows for the joints. One solve for both: the tissue's factor and its Schur complement.

#include "brio/system/bone_chart.hpp"

namespace brio {

class BoneLinearization : public Linearization {
 public:
  explicit BoneLinearization(const BoneChart& chart);

  void assemble(double t, const VectorXd& z, Psd psd, VectorXd& gradient) override;
  const OutsideForces& outside() const override { return nothing_; }
  void multiply_stiffness(const VectorXd& x, VectorXd& y) const override;
  void multiply_damping(const VectorXd& x, VectorXd& y) const override;
  void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override;
  void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override;
  std::optional<ProportionalDamping> proportional_damping() const override;
  FactorStatus factor(double m, double d, double k, double shift) override;
  void solve(Eigen::Ref<MatrixXd> B) override;

 private:
  void take_tissue_alone();
  void solve_tissue(MatrixXd& X);

  const BoneChart& chart_;
  OutsideForces nothing_;
  BoneChart::Derivatives at_;
  MatrixXd KB_;                         ///< K B
  BlockMatrix alone_;                   ///< K of the tissue; its other rows and columns are those of the identity
  std::unique_ptr<Cholesky> cholesky_;  ///< of the tissue; none where there is none
  MatrixXd border_, solved_;            ///< the tissue's rows of k K B, and the tissue's inverse times them
  Eigen::LLT<MatrixXd> schur_;
};

}  // namespace brio

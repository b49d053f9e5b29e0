#pragma once
// Stiffness, damping and factors of tissue and bones together: the sparse matrix of the tissue, bordered by a few dense
// rows for the joints. One solve for both: the tissue's factor and its Schur complement.

#include "brio/linalg/cholesky.hpp"
#include "brio/system/bone_chart.hpp"
#include "brio/system/pinnable_linearization.hpp"

namespace brio {

class BoneLinearization : public PinnableLinearization {
 public:
  explicit BoneLinearization(const BoneChart& chart);

  void assemble(double t, const VectorXd& z, Psd psd, VectorXd& gradient) override;
  const OutsideForces& outside() const override { return outside_; }
  void multiply_stiffness(const VectorXd& x, VectorXd& y) const override;
  void multiply_damping(const VectorXd& x, VectorXd& y) const override;
  void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override;
  void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const override;
  std::optional<ProportionalDamping> proportional_damping() const override;
  FactorStatus factor(double m, double d, double k, double shift) override;
  void solve(Eigen::Ref<MatrixXd> B) override;
  int point_of(int vertex) const override {
    const int row = chart_.nodal().point_of(vertex);
    return row < 0 ? -1 : chart_.tissue_row(row);
  }
  Index joint_dofs() const override { return chart_.dofs() - chart_.tissue(); }
  FactorStatus factor_pinned(const std::vector<int>& pinned, double shift) override;
  void subtract_columns(const std::vector<int>& pinned, Eigen::Ref<MatrixXd> X) const override;
  void multiply_rows(const std::vector<int>& pinned, const Eigen::Ref<const MatrixXd>& X,
                     MatrixXd& rows) const override;

 private:
  void take_tissue_alone(const std::vector<int>& pinned);
  MatrixXd joint_stiffness() const;
  void solve_tissue(MatrixXd& X);

  const BoneChart& chart_;
  OutsideForces outside_;  ///< on free pieces, which have no bones
  BoneChart::Derivatives at_;
  MatrixXd KB_;                         ///< K B
  bool pinned_ = false;                 ///< whether the factor is that of factor_pinned()
  BlockMatrix alone_;                   ///< K of the tissue; its other rows and columns are those of the identity
  std::unique_ptr<Cholesky> cholesky_;  ///< of the tissue; none where there is none
  MatrixXd border_, solved_;            ///< the tissue's rows of k K B, and the tissue's inverse times them
  DenseCholesky schur_;
};

}  // namespace brio

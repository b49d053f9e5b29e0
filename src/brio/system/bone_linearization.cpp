#include "brio/system/bone_linearization.hpp"

#include "brio/system/block_rows.hpp"

namespace brio {

BoneLinearization::BoneLinearization(const BoneChart& chart)
    : chart_(chart), at_{{}, BlockMatrix(chart.nodal().pattern()), {}, {}, {}, {}}, alone_(chart.nodal().pattern()) {
  if (chart.tissue() > 0) cholesky_ = make_cholesky(chart.nodal().pattern());
}

void BoneLinearization::assemble(double t, const VectorXd& z, Psd psd, VectorXd& gradient) {
  chart_.derivatives(t, z, psd, at_);
  gradient = at_.gradient;
  KB_.resize(at_.B.rows(), at_.B.cols());
  std::vector<double> work;
  at_.K.multiply(at_.B, KB_, work);
  if (chart_.free_pieces().empty()) return;
  outside_.gradient.setZero(chart_.dofs());
  chart_.gather_tissue(at_.outside.gradient, outside_.gradient.head(chart_.tissue()));
  outside_.stiffness.clear();
  for (int point : chart_.tissue_points()) outside_.stiffness.push_back(at_.outside.stiffness[point]);
}

void BoneLinearization::multiply_stiffness(const VectorXd& x, VectorXd& y) const {
  const Index n = at_.own.rows();
  VectorXd field = product_with(at_.B, x.tail(n)), image;
  chart_.scatter_tissue(x.head(chart_.tissue()), field);
  at_.K.multiply(field, image);
  y.resize(x.size());
  chart_.gather_tissue(image, y.head(chart_.tissue()));
  y.tail(n) = transposed_product_with(at_.B, image) + product_with(at_.own, x.tail(n));
}

void BoneLinearization::multiply_damping(const VectorXd& x, VectorXd& y) const {
  y.setZero(x.size());
  y.tail(at_.D.rows()) = product_with(at_.D, x.tail(at_.D.rows()));
}

void BoneLinearization::multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const {
  VectorXd y;
  for (Index j = 0; j < X.cols(); ++j) {
    multiply_stiffness(X.col(j), y);
    Y.col(j) = y;
  }
}

void BoneLinearization::multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const {
  Y.setZero();
  Y.bottomRows(at_.D.rows()) = product(at_.D, X.bottomRows(at_.D.rows()));
}

std::optional<ProportionalDamping> BoneLinearization::proportional_damping() const {
  if (chart_.has_damping()) return {};
  return ProportionalDamping{};
}

/// Of the joints, with what the tissue on bones adds to it.
MatrixXd BoneLinearization::joint_stiffness() const {
  MatrixXd K = at_.own;
  add_transposed_product(at_.B, KB_, K);
  return K;
}

void BoneLinearization::take_tissue_alone(const std::vector<int>& pinned) {
  const BlockPattern& pattern = alone_.pattern();
  std::vector<char> tissue(pattern.blocks_per_side, 0);
  for (int point : chart_.tissue_points()) tissue[point] = 1;
  for (int point : pinned) tissue[chart_.tissue_points()[point]] = 0;
  for (int column = 0; column < pattern.blocks_per_side; ++column) {
    for (int slot = pattern.column_begin[column]; slot < pattern.column_begin[column + 1]; ++slot) {
      Eigen::Map<Mat3> block(alone_.block(slot));
      const bool diagonal = slot == pattern.column_begin[column];
      if (tissue[column] && tissue[pattern.row[slot]]) {
        block = Eigen::Map<const Mat3>(at_.K.block(slot));
      } else {
        block = diagonal ? Mat3(Mat3::Identity()) : Mat3(Mat3::Zero());
      }
    }
  }
}

/// Columns over the tissue's coordinates.
void BoneLinearization::solve_tissue(MatrixXd& X) {
  MatrixXd all(chart_.nodal().dofs(), X.cols());
  VectorXd field(all.rows());
  for (Index j = 0; j < X.cols(); ++j) {
    field.setZero();
    chart_.scatter_tissue(X.col(j), field);
    all.col(j) = field;
  }
  cholesky_->solve(all);
  for (Index j = 0; j < X.cols(); ++j) chart_.gather_tissue(all.col(j), X.col(j));
}

FactorStatus BoneLinearization::factor(double m, double d, double k, double shift) {
  pinned_ = false;
  MatrixXd A = d * at_.D + k * joint_stiffness();
  A.diagonal().array() += m + shift;
  if (!A.allFinite()) return FactorStatus::not_positive_definite;
  if (cholesky_) {
    take_tissue_alone({});
    VectorXd diagonal = VectorXd::Zero(chart_.nodal().dofs());
    chart_.scatter_tissue((m + shift) * chart_.mass().head(chart_.tissue()), diagonal);
    if (cholesky_->factor(alone_, k, diagonal) != FactorStatus::ok) return FactorStatus::not_positive_definite;
    border_.resize(chart_.tissue(), A.cols());
    for (Index j = 0; j < A.cols(); ++j) chart_.gather_tissue(k * KB_.col(j), border_.col(j));
    solved_ = border_;
    solve_tissue(solved_);
    A -= transposed_product(border_, solved_);
  }
  schur_.compute(A);
  return schur_.ok() ? FactorStatus::ok : FactorStatus::not_positive_definite;
}

void BoneLinearization::solve(Eigen::Ref<MatrixXd> B) {
  const Index tissue = chart_.tissue(), joints = B.rows() - tissue;
  MatrixXd bones = B.bottomRows(joints);
  MatrixXd soft = B.topRows(tissue);
  if (cholesky_) solve_tissue(soft);
  if (pinned_) {
    B.topRows(tissue) = soft;
    return;
  }
  if (cholesky_) {
    bones -= transposed_product(border_, soft);
  }
  schur_.solve_in_place(bones);
  if (cholesky_) B.topRows(tissue) = soft - product(solved_, bones);
  B.bottomRows(joints) = bones;
}

FactorStatus BoneLinearization::factor_pinned(const std::vector<int>& pinned, double shift) {
  pinned_ = true;
  if (!cholesky_) return FactorStatus::ok;
  take_tissue_alone(pinned);
  VectorXd mass = shift * chart_.mass().head(chart_.tissue()), diagonal = VectorXd::Zero(chart_.nodal().dofs());
  for (int point : pinned) mass.segment<3>(3 * point).setZero();
  chart_.scatter_tissue(mass, diagonal);
  return cholesky_->factor(alone_, 1, diagonal);
}

void BoneLinearization::subtract_columns(const std::vector<int>& pinned, Eigen::Ref<MatrixXd> X) const {
  const Index tissue = chart_.tissue(), joints = joint_dofs();
  for (size_t b = 0; b < pinned.size(); ++b) {
    const Index column = 3 * static_cast<Index>(b);
    const int point = chart_.tissue_points()[pinned[b]];
    for_each_block(at_.K, point, [&](int other, const Mat3& block) {
      if (const int row = chart_.tissue_row(other); row >= 0) X.block<3, 3>(3 * row, column) -= block.transpose();
    });
    X.block(tissue, column, joints, 3) -= KB_.middleRows<3>(3 * point).transpose();
  }
  VectorXd rows(tissue);
  for (Index j = 0; j < joints; ++j) {
    chart_.gather_tissue(KB_.col(j), rows);
    X.col(X.cols() - joints + j).head(tissue) -= rows;
  }
  X.bottomRightCorner(joints, joints) -= joint_stiffness();
}

void BoneLinearization::multiply_rows(const std::vector<int>& pinned, const Eigen::Ref<const MatrixXd>& X,
                                      MatrixXd& rows) const {
  const Index tissue = chart_.tissue(), joints = joint_dofs();
  rows.setZero(3 * static_cast<Index>(pinned.size()) + joints, X.cols());
  for (size_t b = 0; b < pinned.size(); ++b) {
    const int point = chart_.tissue_points()[pinned[b]];
    auto image = rows.middleRows<3>(3 * static_cast<Index>(b));
    for_each_block(at_.K, point, [&](int other, const Mat3& block) {
      if (const int row = chart_.tissue_row(other); row >= 0) image.noalias() += block * X.middleRows<3>(3 * row);
    });
    image.noalias() += KB_.middleRows<3>(3 * point) * X.bottomRows(joints);
  }
  auto last = rows.bottomRows(joints);
  last = product(joint_stiffness(), X.bottomRows(joints));
  for (Index i = 0; 3 * i < tissue; ++i)
    last.noalias() += KB_.middleRows<3>(3 * chart_.tissue_points()[i]).transpose() * X.middleRows<3>(3 * i);
}

}  // namespace brio

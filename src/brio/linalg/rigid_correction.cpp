#include "brio/linalg/rigid_correction.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>

namespace brio {

void RigidCorrection::set(const std::function<void(const MatrixXd& X, MatrixXd& Y)>& multiply, const VectorXd& q) {
  if (pieces_.empty() || q.size() == 0) return;
  Z_.setZero(q.size(), 6);
  AZ_.resize(q.size(), 6);
  for (const std::vector<int>& piece : pieces_) {
    Vec3 center = Vec3::Zero();
    for (Index i : piece) center += q.segment<3>(3 * i);
    center /= static_cast<double>(piece.size());
    double radius = 0;
    for (Index i : piece) radius += (q.segment<3>(3 * i) - center).squaredNorm();
    radius = std::sqrt(radius / static_cast<double>(piece.size()));
    for (Index i : piece) {
      const Vec3 arm = radius > 0 ? Vec3((q.segment<3>(3 * i) - center) / radius) : Vec3(Vec3::Zero());
      for (int k = 0; k < 3; ++k) {
        Z_(3 * i + k, k) = 1;
        Z_.block<3, 1>(3 * i, 3 + k) = Vec3::Unit(k).cross(arm);
      }
    }
  }
  multiply(Z_, AZ_);
  inverse_.resize(pieces_.size());
  for (size_t p = 0; p < pieces_.size(); ++p) {
    Eigen::Matrix<double, 6, 6> small = Eigen::Matrix<double, 6, 6>::Zero();
    for (Index i : pieces_[p])
      small.noalias() += Z_.middleRows<3>(3 * i).transpose().lazyProduct(AZ_.middleRows<3>(3 * i));
    // A motion that moves nothing, as that of a straight rope about itself, is left alone.
    for (int k = 0; k < 6; ++k)
      if (!(small(k, k) > 1e-12 * small(0, 0))) small(k, k) = small(0, 0);
    inverse_[p] = small.inverse();
    if (!inverse_[p].allFinite()) inverse_[p].setZero();
  }
}

void RigidCorrection::correct(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X) const {
  for (size_t p = 0; p < pieces_.size() && Z_.rows() == X.rows(); ++p)
    for (Index c = 0; c < X.cols(); ++c) {
      Eigen::Matrix<double, 6, 1> lack = Eigen::Matrix<double, 6, 1>::Zero();
      for (Index i : pieces_[p]) {
        lack += Z_.middleRows<3>(3 * i).transpose().lazyProduct(B.col(c).segment<3>(3 * i));
        lack -= AZ_.middleRows<3>(3 * i).transpose().lazyProduct(X.col(c).segment<3>(3 * i));
      }
      const Eigen::Matrix<double, 6, 1> motion = inverse_[p] * lack;
      for (Index i : pieces_[p]) X.col(c).segment<3>(3 * i) += Z_.middleRows<3>(3 * i).lazyProduct(motion);
    }
}

}  // namespace brio

#pragma once
// Where iterations end must not show in the momentum of bodies that nothing holds. Their rigid motions Z are put right
// at the end of a solve, so that Z^T A x = Z^T b holds as exactly as with a factor: x += Z (Z^T A Z)^-1 Z^T (b - A x).

#include "brio/core/types.hpp"

#include <functional>
#include <vector>

namespace brio {

class RigidCorrection {
 public:
  /// The pieces are lists of points, coupled to nothing else; kept by reference.
  explicit RigidCorrection(const std::vector<std::vector<int>>& pieces) : pieces_(pieces) {}

  /// For a matrix of points at q, stacked; multiply(X, Y) is Y = A X.
  void set(const std::function<void(const MatrixXd& X, MatrixXd& Y)>& multiply, const VectorXd& q);
  void correct(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X) const;

 private:
  using Motions = Eigen::Matrix<double, Eigen::Dynamic, 6>;
  const std::vector<std::vector<int>>& pieces_;
  MatrixXd Z_, AZ_;                                   ///< the six motions of all pieces at once
  std::vector<Eigen::Matrix<double, 6, 6>> inverse_;  ///< of Z^T A Z, piece by piece
};

}  // namespace brio

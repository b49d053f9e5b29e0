#pragma once
// The coarse space of a two-level method: each aggregate of points moves rigidly, six numbers each. Z^T A Z is small
// and sparse, and is factored.

#include "brio/linalg/aggregates.hpp"
#include "brio/linalg/cholesky.hpp"

#include <memory>

namespace brio {

class RigidCoarseSpace {
 public:
  /// For matrices on a pattern, in groups of about so many points; see find_aggregates() for the couplings.
  RigidCoarseSpace(const BlockPattern& pattern, const VectorXd& couplings, int aggregate_size);

  /// Z for points at q (stacked), Z^T A Z, and its factor.
  FactorStatus factor(const BlockMatrix& A, const VectorXd& q);
  /// Z_out += Z (Z^T A Z)^-1 Z^T R
  void add_correction(const Eigen::Ref<const MatrixXd>& R, Eigen::Ref<MatrixXd> Z_out);

  int unknowns() const { return 6 * aggregates_.count(); }

 private:
  void find_arms(const VectorXd& q);
  void add_to_row(const BlockMatrix& A, int aggregate);

  Aggregates aggregates_;
  std::shared_ptr<const BlockPattern> pattern_;  ///< two block rows an aggregate: translations, rotations
  std::unique_ptr<BlockMatrix> coarse_;
  std::unique_ptr<Cholesky> cholesky_;
  std::vector<Vec3> arms_;  ///< of each point of an aggregate, from its center, in its radii
  VectorXd shift_;
  MatrixXd small_;
};

}  // namespace brio

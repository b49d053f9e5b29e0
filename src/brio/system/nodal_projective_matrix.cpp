#include "brio/system/nodal_projective_matrix.hpp"

#include "brio/core/error.hpp"

namespace brio {
namespace {

using Coordinates = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>>;

}  // namespace

NodalProjectiveMatrix::NodalProjectiveMatrix(const NodalSystem& system)
    : system_(system),
      weights_(system.projective_weights()),
      vertex_mass_(system.mass()(Eigen::seqN(0, system.mass().size() / 3, 3))),
      columns_(vertex_mass_.size(), 3),
      cholesky_(make_scalar_cholesky(system.pattern())) {
  const BlockPattern& pattern = *system.pattern();
  for (int v = 0; v < pattern.blocks_per_side; ++v) {
    const double weight = weights_[pattern.column_begin[v]];
    if (!(weight >= 0) || !std::isfinite(weight))
      throw Error(
          "the materials around free vertex {} fit a stiffness of {} N/m over stretches 0.5 to 1.5; it must not be "
          "negative: change the law",
          v, weight);
  }
}

FactorStatus NodalProjectiveMatrix::factor(double m, double d) {
  const RayleighDamping& damping = system_.damping();
  diagonal_ = (m + d * damping.alpha) * vertex_mass_;
  return cholesky_->factor(weights_, 1 + d * damping.beta, diagonal_);
}

void NodalProjectiveMatrix::solve_with(void (Cholesky::*solve)(Eigen::Ref<MatrixXd>), VectorXd& x) {
  Coordinates coordinates(x.data(), vertex_mass_.size(), 3);
  columns_ = coordinates;
  (*cholesky_.*solve)(columns_);
  coordinates = columns_;
}

}  // namespace brio

#include "brio/integrate/parts/spectrum_ends.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace brio {

SpectrumEnds SpectrumSearch::operator()(const BlockMatrix& K, const VectorXd& mass) {
  // Signs from a low-discrepancy sequence: every mode is in it, whatever the mesh.
  start_.resize(mass.size());
  for (Index i = 0; i < start_.size(); ++i) {
    const double golden = 0.6180339887498949 * static_cast<double>(i + 1);
    start_[i] = golden - std::floor(golden) < 0.5 ? -1 : 1;
  }
  process_.begin(mass, start_, kProducts);
  bool grows = true;
  while (grows && process_.size() < kProducts) {
    start_ = process_.next();
    K.multiply(start_, image_);
    grows = process_.extend(mass, image_);
  }
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
  eigen.computeFromTridiagonal(process_.diagonal(), process_.off_diagonal());
  const VectorXd& theta = eigen.eigenvalues();
  const Index last = theta.size() - 1;
  const auto left = [&](Index i) { return process_.residual() * std::fabs(eigen.eigenvectors()(last, i)); };
  return {theta[0] < 0 ? 1.01 * (theta[0] - left(0)) : 0, 1.01 * (theta[last] + left(last))};
}

}  // namespace brio

#include "brio/system/modes.hpp"

#include "brio/core/error.hpp"
#include "brio/linalg/mass_orthonormal.hpp"

#include <Eigen/Eigenvalues>
#include <Spectra/SymEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace brio {
namespace {

constexpr Index kDense = 60;  // degrees of freedom up to which a dense solver is as quick

/// M^1/2 (K + shift M)^-1 M^1/2, whose largest eigenvalues 1 / (lambda + shift) belong to the slowest modes.
class ShiftInvert {
 public:
  using Scalar = double;
  ShiftInvert(Linearization& lin, const VectorXd& mass) : lin_(lin), root_(mass.cwiseSqrt()), work_(mass.size()) {}
  Index rows() const { return root_.size(); }
  Index cols() const { return root_.size(); }
  void set_shift(const Scalar&) {}  // the factor is made once, by the caller
  void perform_op(const Scalar* in, Scalar* out) const {
    work_ = root_.cwiseProduct(Eigen::Map<const VectorXd>(in, rows()));
    lin_.solve(work_);
    Eigen::Map<VectorXd>(out, rows()) = root_.cwiseProduct(work_);
  }

 private:
  Linearization& lin_;
  VectorXd root_;
  mutable VectorXd work_;
};

/// A Krylov space from one vector sees one vector of each eigenspace. Block iterations with some random columns bring
/// in what is missing where eigenvalues repeat, the six rigid motions of a free body above all.
void complete_repeated(Linearization& lin, const VectorXd& mass, Modes& modes) {
  constexpr int kExtra = 8, kMostRounds = 60;
  constexpr double kConverged = 1e-9;
  const Index count = modes.lambda.size(), n = mass.size();
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> even(-1, 1);
  MatrixXd W(n, count + kExtra);
  W.leftCols(count) = modes.U;
  for (Index i = 0; i < n * kExtra; ++i) W.rightCols(kExtra).data()[i] = even(random);
  MatrixXd Q(n, 2 * W.cols());
  VectorXd column;
  for (int round = 0; round < kMostRounds; ++round) {
    Index size = 0;
    for (Index j = 0; j < W.cols(); ++j) {
      column = W.col(j);
      if (append_orthonormal(mass, Q, size, column)) ++size;
    }
    W = mass.asDiagonal() * Q.leftCols(size);
    lin.solve(W);
    for (Index j = 0; j < W.cols(); ++j) {
      column = W.col(j);
      if (append_orthonormal(mass, Q, size, column)) ++size;
    }
    MatrixXd space = Q.leftCols(size);
    Modes wider;
    ritz_modes(lin, mass, space, static_cast<int>(std::min<Index>(size, count + kExtra)), wider);
    W = wider.U;
    const VectorXd before = modes.lambda;
    modes.lambda = wider.lambda.head(count);
    modes.U = wider.U.leftCols(count);
    const double fastest = modes.lambda.cwiseAbs().maxCoeff();
    const bool settled = (modes.lambda - before).cwiseAbs().maxCoeff() < kConverged * fastest;
    if (settled && mode_residual(lin, mass, modes, static_cast<int>(count), fastest) < kConverged) return;
  }
  throw Error("the {} slowest modes did not settle; ask for fewer, or check the mesh for loose pieces", count);
}

}  // namespace

Modes find_modes(Linearization& lin, const VectorXd& mass, int count, double shift) {
  const Index n = mass.size();
  if (count < 1 || count > n) {
    throw Error("{} modes asked of a body with {} degrees of freedom: ask for 1 to {}", count, n, n);
  }
  if (n <= kDense || 2 * count + 10 > n) {  // every mode there is, at once
    MatrixXd all = MatrixXd::Identity(n, n);
    Modes modes;
    ritz_modes(lin, mass, all, count, modes);
    return modes;
  }
  if (lin.factor(shift, 0, 1) != FactorStatus::ok) {
    throw Error("the stiffness has a mode below -{:.3g} 1/s^2; modes are found about a stable shape", shift);
  }
  ShiftInvert op(lin, mass);
  const Index space = std::min<Index>(n, std::max<Index>(2 * count + 10, 20));
  Spectra::SymEigsShiftSolver<ShiftInvert> solver(op, count, space, -shift);
  solver.init();
  const Index found = solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful || found < count) {
    throw Error("only {} of {} modes converged; ask for fewer, or check the mesh for loose pieces", found, count);
  }
  Modes modes{solver.eigenvectors(), solver.eigenvalues()};
  modes.U = mass.cwiseSqrt().cwiseInverse().asDiagonal() * modes.U;
  complete_repeated(lin, mass, modes);
  return modes;
}

void ritz_modes(const Linearization& lin, const VectorXd& mass, MatrixXd& W, int count, Modes& modes) {
  const Index m = W.cols();
  MatrixXd KW(W.rows(), m);
  for (Index j = 0; j < m; ++j) W.col(j) /= std::sqrt(W.col(j).dot(mass.cwiseProduct(W.col(j))));
  lin.multiply_stiffness_block(W, KW);
  const MatrixXd a = W.transpose() * KW, b = W.transpose() * mass.asDiagonal() * W;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen((a + a.transpose()) / 2, (b + b.transpose()) / 2);
  modes.lambda = eigen.eigenvalues().head(count);
  modes.U.noalias() = W * eigen.eigenvectors().leftCols(count);
}

double mode_residual(const Linearization& lin, const VectorXd& mass, const Modes& modes, int count, double reference) {
  double largest = 0;
  MatrixXd KU(modes.U.rows(), count);
  lin.multiply_stiffness_block(modes.U.leftCols(count), KU);
  for (int j = 0; j < count; ++j) {
    const double lambda = modes.lambda[j];
    const VectorXd Mu = mass.cwiseProduct(modes.U.col(j));
    largest = std::max(largest, (KU.col(j) - lambda * Mu).norm() / ((std::fabs(lambda) + reference) * Mu.norm()));
  }
  return largest;
}

}  // namespace brio

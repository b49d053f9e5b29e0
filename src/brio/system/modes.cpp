#include "brio/system/modes.hpp"

#include "brio/core/error.hpp"
#include "brio/linalg/mass_orthonormal.hpp"
#include "brio/linalg/scattered_vectors.hpp"
#include "brio/linalg/tall_products.hpp"
#include "brio/system/rayleigh_ritz.hpp"

#include <Eigen/Eigenvalues>
#include <Spectra/SymEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr Index kDense = 60;         // degrees of freedom up to which a dense solver is as quick
constexpr Index kMostDense = 3000;   // and up to which it is bearable
constexpr double kRoundOff = 1e-13;  // of the mean lambda: what rounding makes of lambda = 0

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

/// The mean lambda over the directions of a scattered vector, which high frequencies dominate.
double mean_lambda(const Linearization& lin, const VectorXd& mass) {
  const VectorXd x = scattered_vectors(mass.size(), 1);
  VectorXd y;
  lin.multiply_stiffness(x, y);
  return std::fabs(x.dot(y)) / x.dot(mass.cwiseProduct(x));
}

/// A Krylov space from one vector sees one vector of each eigenspace. Block iterations with some random columns bring
/// in what is missing where eigenvalues repeat, the six rigid motions of a free body above all. False where they do not
/// settle.
bool complete_repeated(Linearization& lin, const VectorXd& mass, Modes& modes) {
  constexpr int kMostRounds = 200, kLeastRounds = 3, kPatience = 10;
  constexpr double kConverged = 1e-9, kCoarse = 1e-6;
  const Index count = modes.lambda.size(), n = mass.size();
  const double floor = kRoundOff / kConverged * mean_lambda(lin, mass);
  const Index extra = std::min(n - count, std::max<Index>(8, count / 2));
  MatrixXd W(n, count + extra);
  W << modes.U, scattered_vectors(n, extra);
  VectorXd confirmed;
  int since_fresh = 0, since_better = 0;
  double best = std::numeric_limits<double>::infinity();
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
    if (!ritz_modes(lin, mass, space, static_cast<int>(std::min<Index>(size, count + extra)), wider)) return false;
    W = wider.U;
    const VectorXd before = modes.lambda;
    modes.lambda = wider.lambda.head(count);
    modes.U = wider.U.leftCols(count);
    const double fastest = std::max(modes.lambda.cwiseAbs().maxCoeff(), floor);
    const bool settled = (modes.lambda - before).cwiseAbs().maxCoeff() < kConverged * fastest;
    if (!settled) continue;
    // Where all of them are rigid, residuals are round-off of far faster modes: they stop falling, above the bound.
    const double residual = mode_residual(lin, mass, modes, static_cast<int>(count), fastest);
    since_better = residual < best / 2 ? 0 : since_better + 1;
    best = std::min(best, residual);
    const bool converged = residual < kConverged || (since_better >= kPatience && residual < kCoarse);
    if (converged && ++since_fresh >= kLeastRounds) {
      // A random column brings in one more vector of each eigenspace. Only when fresh ones change nothing is it
      // complete.
      if (confirmed.size() > 0 && (modes.lambda - confirmed).cwiseAbs().maxCoeff() < kConverged * fastest) return true;
      confirmed = modes.lambda;
      since_fresh = 0;
      W.rightCols(W.cols() - count) = scattered_vectors(n, W.cols() - count, round + 1);
    }
  }
  return false;
}

}  // namespace

FoundModes find_modes(Linearization& lin, const VectorXd& mass, int count, double shift) {
  const Index n = mass.size();
  if (count < 1 || count > n) {
    throw Error("{} modes asked of a body with {} degrees of freedom: ask for 1 to {}", count, n, n);
  }
  FoundModes found;
  const auto trouble = [&](std::string text) {
    found.trouble = std::move(text);
    return found;
  };
  const auto unsettled = [&] {
    return trouble(
        fmt::format("the {} slowest modes did not settle; ask for fewer, or check the mesh for loose pieces", count));
  };
  if (n <= kDense || 2 * count + 10 > n) {  // every mode there is, at once
    if (n > kMostDense)
      return trouble(fmt::format("{} modes asked of a body with {} degrees of freedom: ask for at most {}", count, n,
                                 (n - 10) / 2));
    MatrixXd all = MatrixXd::Identity(n, n);
    return ritz_modes(lin, mass, all, count, found.modes) ? found : unsettled();
  }
  if (std::optional<FoundModes> own = lin.engine_modes(count, shift)) return *own;
  if (lin.factor(shift, 0, 1) != FactorStatus::ok)
    return trouble(
        fmt::format("the stiffness has a mode below -{:.3g} 1/s^2; modes are found about a stable shape", shift));
  ShiftInvert op(lin, mass);
  const Index space = std::min<Index>(n, std::max<Index>(2 * count + 10, 20));
  Spectra::SymEigsShiftSolver<ShiftInvert> solver(op, count, space, -shift);
  solver.init();
  const Index converged = solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful || converged < count)
    return trouble(fmt::format("only {} of {} modes converged; ask for fewer, or check the mesh for loose pieces",
                               converged, count));
  found.modes = {solver.eigenvectors(), solver.eigenvalues()};
  found.modes.U = mass.cwiseSqrt().cwiseInverse().asDiagonal() * found.modes.U;
  return complete_repeated(lin, mass, found.modes) ? found : unsettled();
}

int count_rigid(const Linearization& lin, const VectorXd& mass, const Eigen::Ref<const VectorXd>& lambda) {
  constexpr double kRigid = 1e-6;  // lambda of a rigid motion against that of the fastest mode found
  const auto size = lambda.array().abs();
  return static_cast<int>((size < std::max(kRoundOff * mean_lambda(lin, mass), kRigid * size.maxCoeff())).count());
}

ElasticModes find_elastic_modes(Linearization& lin, const VectorXd& mass, int count, int more, double shift) {
  const Index n = mass.size();
  ElasticModes found;
  for (int room = 6;; room = 2 * found.rigid + 6) {  // many loose pieces have six each
    const Index wanted = std::min<Index>(n, static_cast<Index>(count) + more + room);
    static_cast<FoundModes&>(found) = find_modes(lin, mass, static_cast<int>(wanted), shift);
    if (!found.trouble.empty()) return found;
    found.rigid = count_rigid(lin, mass, found.modes.lambda);
    if (found.rigid <= room || wanted == n) break;
  }
  const Index followed = std::min<Index>(found.modes.lambda.size(), static_cast<Index>(count) + found.rigid + more);
  found.modes.U.conservativeResize(Eigen::NoChange, followed);
  found.modes.lambda.conservativeResize(followed);
  return found;
}

std::optional<double> least_shift(Linearization& lin, const VectorXd& mass) {
  const double mean = mean_lambda(lin, mass);
  for (double part = 1e-6; part < 1e7; part *= 10)
    if (lin.factor(part * mean, 0, 1) == FactorStatus::ok) return part * mean;
  return {};
}

bool ritz_modes(const Linearization& lin, const VectorXd& mass, MatrixXd& W, int count, Modes& modes) {
  RayleighRitz ritz;
  if (!ritz.solve(lin, mass, W)) return false;
  modes.lambda = ritz.lambda().head(count);
  modes.U.resize(W.rows(), count);
  multiply_tall(W, ritz.coefficients().leftCols(count), modes.U);
  return true;
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

double fastest_vibration(const Linearization& lin, const VectorXd& mass) {
  constexpr Index kMostVectors = 60;
  const Index n = mass.size(), most = std::min(n, kMostVectors);
  const VectorXd weight = mass.cwiseSqrt().cwiseInverse();
  VectorXd v = scattered_vectors(n, 1).col(0).normalized(), before = VectorXd::Zero(n), w;
  VectorXd diagonal(most), below(most);
  Index size = 0;
  for (double beta = 0; size < most;) {
    lin.multiply_stiffness(weight.cwiseProduct(v), w);
    w = weight.cwiseProduct(w) - beta * before;
    diagonal[size] = v.dot(w);
    w -= diagonal[size] * v;
    beta = below[size] = w.norm();
    ++size;
    if (!(beta > 1e-12 * diagonal.head(size).cwiseAbs().maxCoeff())) break;
    before = v;
    v = w / beta;
  }
  if (!diagonal.head(size).allFinite()) return 0;
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
  eigen.computeFromTridiagonal(diagonal.head(size), below.head(size - 1), Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, eigen.eigenvalues().maxCoeff()));
}

}  // namespace brio

#include "brio/experiment/advise/spectrum.hpp"

#include "brio/linalg/mass_orthonormal.hpp"
#include "brio/linalg/scattered_vectors.hpp"
#include "brio/system/modes.hpp"
#include "brio/system/rayleigh_ritz.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr double kStill = 1e-12;  // of the largest lambda: what rounding leaves of zero
constexpr Index kSmallBody = 60;  // degrees of freedom of which all modes are found at once

/// The shift with which K + shift M can be factored: for held bodies far below the slowest lambda of a long rope, for
/// free ones not so small that rigid motions drown the rest. False when there is none.
bool factor_shifted(Linearization& lin, bool free, double largest) {
  for (double part = free ? 1e-8 : 1e-13; part < 1; part *= 100)
    if (lin.factor(part * largest, 0, 1) == FactorStatus::ok) return true;
  return false;
}

/// Block iteration with Rayleigh-Ritz until the first `most` lambdas settle to a percent.
bool iterate_modes(Linearization& lin, const VectorXd& mass, int most, Index columns, VectorXd& lambda, MatrixXd& W) {
  constexpr int kMostRounds = 12;
  constexpr double kSettled = 0.01;
  const Index n = mass.size();
  W = scattered_vectors(n, columns);
  RayleighRitz ritz;
  VectorXd column;
  for (int round = 0; round < kMostRounds; ++round) {
    W = mass.asDiagonal() * W;
    lin.solve(W);
    if (!W.allFinite()) return false;
    MatrixXd Q(n, W.cols());
    Index size = 0;
    for (Index j = 0; j < W.cols(); ++j) {
      column = W.col(j);
      if (append_orthonormal(mass, Q, size, column)) ++size;
    }
    Q.conservativeResize(Eigen::NoChange, size);
    if (size == 0 || !ritz.solve(lin, mass, Q)) return false;
    const VectorXd before = lambda;
    lambda = ritz.lambda();
    W = Q * ritz.coefficients();
    const Index seen = std::min<Index>({most, lambda.size(), before.size()});
    const VectorXd now = lambda.head(seen);
    if (seen > 0 && ((now - before.head(seen)).array().abs() <= kSettled * now.array().abs()).all()) break;
  }
  return true;
}

}  // namespace

Spectrum estimate_spectrum(Linearization& lin, const VectorXd& mass, bool free, int most) {
  const Index n = mass.size();
  Spectrum spectrum;
  spectrum.fastest = fastest_vibration(lin, mass);
  const double largest = spectrum.fastest * spectrum.fastest;
  if (n == 0 || largest == 0) return spectrum;
  VectorXd lambda;
  MatrixXd W;
  if (n <= kSmallBody) {
    Modes modes;
    W = MatrixXd::Identity(n, n);
    if (!ritz_modes(lin, mass, W, static_cast<int>(n), modes)) return spectrum;
    lambda = modes.lambda, W = modes.U;
  } else {
    const Index columns = std::min<Index>(n, 2 * most + (free ? 12 : 6));
    const int wanted = most + (free ? 6 : 0);
    if (!factor_shifted(lin, free, largest) || !iterate_modes(lin, mass, wanted, columns, lambda, W)) return spectrum;
  }
  std::vector<Index> elastic;
  for (Index i = 0; i < lambda.size(); ++i) {
    if (std::fabs(lambda[i]) < kStill * largest)
      ++spectrum.zero_modes;
    else if (lambda[i] < 0)
      ++spectrum.unstable;
    else if (static_cast<int>(elastic.size()) < most)
      elastic.push_back(i);
  }
  spectrum.shapes = W(Eigen::all, elastic);
  for (Index i : elastic) spectrum.slow.push_back(std::sqrt(lambda[i]));
  return spectrum;
}

}  // namespace brio

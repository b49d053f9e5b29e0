#pragma once
// What solves with a symmetric positive definite matrix of 3x3 blocks looks like from outside, whether it factors or
// iterates.

#include "brio/core/archive.hpp"
#include "brio/linalg/block_matrix.hpp"

#include <optional>
#include <string>

namespace brio {

enum class FactorStatus { ok, not_positive_definite };

/// What a solver has done; those that factor every matrix and nothing else need not count.
struct SolverWork {
  int iterations = 0;
  int factorizations = 0;  ///< whole ones
  int reused = 0;          ///< matrices that were solved with an earlier factor
  int fallbacks = 0;       ///< matrices whose iterations did not converge, so that they were factored if they could be
  int unconverged = 0;     ///< those that could not

  SolverWork& operator+=(const SolverWork& more) {
    iterations += more.iterations;
    factorizations += more.factorizations;
    reused += more.reused;
    fallbacks += more.fallbacks;
    unconverged += more.unconverged;
    return *this;
  }
};

/// Vibration modes K U = M U Lambda, U^T M U = I, slowest first.
struct Modes {
  MatrixXd U;       ///< columns, M-orthonormal
  VectorXd lambda;  ///< omega^2, increasing [1/s^2]
};

/// What a search for modes found.
struct FoundModes {
  Modes modes;
  std::string trouble;  ///< why there are none, and what to do about it; empty when they were found
};

/// Solves with a symmetric positive definite matrix of 3x3 blocks, exactly or by iterations.
class BlockSolver {
 public:
  virtual ~BlockSolver() = default;
  /// Where the points of the next matrix are, stacked [m]: for those that know about rigid motions.
  virtual void set_positions(const VectorXd& /*q*/) {}
  /// Makes ready A = scale * K + diag(shift), K on the analyzed pattern. K's diagonal blocks must be symmetric.
  /// not_positive_definite also when A is singular to working precision or not finite; the object can be used again.
  virtual FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) = 0;
  /// Overwrites each column of B with A^-1 times it. Needs a successful factor().
  virtual void solve(Eigen::Ref<MatrixXd> B) = 0;
  /// X is near A^-1 B, or zero: the same for X. From the column `exact` on nobody needs solutions, only directions near
  /// them, whose errors enter a result by their squares: the root of the tolerance will do there.
  virtual void improve(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index /*exact*/) {
    X = B;
    solve(X);
  }
  /// The same, but where single precision is quicker and the columns are few, with some seven digits: for search
  /// directions and preconditioners.
  virtual void solve_single_precision(Eigen::Ref<MatrixXd> B) { solve(B); }
  /// What the solves since factor() have found out: a solver that iterates may meet a direction along which A is not
  /// positive only then, and what it has left in B is not the solution.
  virtual FactorStatus status() const { return FactorStatus::ok; }
  /// The `count` modes with the smallest lambda, where the solver finds modes by itself; nothing otherwise. K + shift M
  /// should be positive definite.
  virtual std::optional<FoundModes> modes(const BlockMatrix& /*K*/, const VectorXd& /*mass*/, int /*count*/,
                                          double /*shift*/) {
    return std::nullopt;
  }
  /// Stores what its solutions owe to earlier matrices, or goes on with that; nothing where each begins anew.
  virtual void archive(Archive& /*archive*/) {}
  /// Since the last call.
  virtual SolverWork take_work() { return {}; }
};

}  // namespace brio

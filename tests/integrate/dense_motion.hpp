#pragma once
// The frozen motion of ERE by a dense exponential of the augmented matrix: an answer that shares nothing with the
// Krylov paths but K, D and the force.

#include "brio/system/nodal_linearization.hpp"

#include <unsupported/Eigen/MatrixFunctions>

namespace brio::testing {

struct DenseMotion {
  MatrixXd M, K, D;
  VectorXd v, f;

  DenseMotion(const NodalSystem& system, const State& state, double h) : v(state.v) {
    NodalLinearization lin(system);
    VectorXd gradient, y;
    lin.assemble(state.t + h / 2, state.q, Psd::none, gradient);
    const Index n = system.dofs();
    M = system.mass().asDiagonal();
    K.resize(n, n);
    D.resize(n, n);
    for (Index j = 0; j < n; ++j) {
      lin.multiply_stiffness(VectorXd::Unit(n, j), y);
      K.col(j) = y;
      lin.multiply_damping(VectorXd::Unit(n, j), y);
      D.col(j) = y;
    }
    system.load(state.t + h / 2, state.q, state.v, f);
    f -= gradient + D * v;
  }

  /// What the step adds to (q, v).
  VectorXd added(double h) const {
    const Index n = v.size();
    const MatrixXd inverse = M.diagonal().cwiseInverse().asDiagonal();
    // Positions in units of h, so that the matrix is balanced and the exponential keeps its digits.
    MatrixXd A = MatrixXd::Zero(2 * n + 1, 2 * n + 1);
    A.block(0, n, n, n).setIdentity();
    A.block(n, 0, n, n) = -h * h * inverse * K;
    A.block(n, n, n, n) = -h * inverse * D;
    A.col(2 * n).head(2 * n) << v, h * (inverse * f);
    VectorXd end = MatrixXd(A.exp()).col(2 * n).head(2 * n);
    end.head(n) *= h;
    return end;
  }

  /// The measure of errors: sqrt(|dv|_M^2 + dq.K dq), with directions of negative stiffness counted as positive.
  double energy_norm(const VectorXd& added) const {
    const Index n = v.size();
    const VectorXd x = added.head(n), u = added.tail(n);
    return std::sqrt(std::fabs(x.dot(K * x)) + u.dot(M * u));
  }

  /// motion_speed() with dense matrices.
  double speed(double h) const {
    const VectorXd a = f.cwiseQuotient(M.diagonal());
    const double size = std::sqrt(a.dot(f)), omega = std::sqrt(std::fabs(a.dot(K * a))) / size;
    return std::sqrt(v.dot(M * v)) + (size > 0 ? size * std::min(h, 1 / omega) : 0);
  }
};

}  // namespace brio::testing

// Modes that damping couples, against the exponential of Eigen's unsupported modules.

#include "brio/integrate/parts/coupled_modes.hpp"

#include <gtest/gtest.h>

#include <unsupported/Eigen/MatrixFunctions>

namespace brio {
namespace {

TEST(CoupledModes, agree_with_a_dense_exponential) {
  std::srand(5);
  const int s = 6;
  for (double scale : {0.0, 1e-16, 0.3, 40.0}) {  // without coupling, with one lost in rounding, weak, overdamped
    const double h = 0.02;
    VectorXd lambda = VectorXd::LinSpaced(s, -200, 3e4);  // an unstable direction and a fast mode among them
    lambda[1] = 0;
    const MatrixXd half = MatrixXd::Random(s, s);
    MatrixXd C = scale * half * half.transpose();
    C.diagonal().array() += 0.5;
    const VectorXd a = VectorXd::Random(s), b = 100 * VectorXd::Random(s);
    CoupledModes modes;
    modes.step(lambda, C, a, b, h);
    MatrixXd J = MatrixXd::Zero(2 * s + 1, 2 * s + 1);
    J.block(0, s, s, s).setIdentity();
    J.block(s, 0, s, s).diagonal() = -lambda;
    J.block(s, s, s, s) = -C;
    J.col(2 * s).head(s) = a;
    J.col(2 * s).segment(s, s) = b;
    const VectorXd exact = (h * J).exp().col(2 * s);
    // Rounding of a few squarings.
    EXPECT_LT((modes.dq() - exact.head(s)).norm(), 1e-12 * exact.head(s).norm()) << scale;
    EXPECT_LT((modes.dv() - exact.segment(s, s)).norm(), 1e-12 * exact.segment(s, s).norm()) << scale;
  }
}

TEST(CoupledModes, without_velocity_and_force_nothing_moves) {
  CoupledModes modes;
  modes.step(VectorXd::Ones(2), MatrixXd::Ones(2, 2), VectorXd::Zero(2), VectorXd::Zero(2), 0.1);
  EXPECT_EQ(modes.dq().norm() + modes.dv().norm(), 0);
}

}  // namespace
}  // namespace brio

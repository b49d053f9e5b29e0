// Vibration modes: residuals, orthogonality, and a dense eigenvalue solver beside.

#include "brio/system/modes.hpp"

#include "brio/core/error.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;

class ModesOfABar : public ::testing::TestWithParam<bool> {
 protected:
  ModesOfABar() : system_(Bar(2, GetParam()).system()), lin_(system_) {
    VectorXd g;
    lin_.assemble(0, at_rest(system_).q, Psd::none, g);
  }
  NodalSystem system_;
  NodalLinearization lin_;
};

TEST_P(ModesOfABar, are_those_of_a_dense_solver) {
  const Index n = system_.dofs();
  MatrixXd K(n, n);
  VectorXd y;
  for (Index j = 0; j < n; ++j) {
    lin_.multiply_stiffness(VectorXd::Unit(n, j), y);
    K.col(j) = y;
  }
  const MatrixXd M = system_.mass().asDiagonal();
  const VectorXd exact = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M).eigenvalues();
  const Modes modes = find_modes(lin_, system_.mass(), 12, 1e4).modes;
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(modes.lambda[i], exact[i], 1e-7 * exact[11]) << i;
  EXPECT_LT((modes.U.transpose() * M * modes.U - MatrixXd::Identity(12, 12)).norm(), 1e-9);
  EXPECT_LT(mode_residual(lin_, system_.mass(), modes, 12, exact[11]), 1e-8);
}

TEST_P(ModesOfABar, block_iteration_tends_to_them) {
  const Modes exact = find_modes(lin_, system_.mass(), 8, 1e4).modes;
  ASSERT_EQ(lin_.factor(1e4, 0, 1, 0), FactorStatus::ok);
  std::srand(3);
  MatrixXd W = exact.U + 0.02 * MatrixXd::Random(exact.U.rows(), exact.U.cols());
  Modes modes;
  double last = 1e300;
  for (int i = 0; i < 4; ++i) {
    W = system_.mass().asDiagonal() * W;
    lin_.solve(W);
    ASSERT_TRUE(ritz_modes(lin_, system_.mass(), W, 8, modes));
    const double residual = mode_residual(lin_, system_.mass(), modes, 5, exact.lambda[7]);
    EXPECT_LT(residual, 0.7 * last);
    last = residual;
    W = modes.U;
  }
}

INSTANTIATE_TEST_SUITE_P(HeldAndFree, ModesOfABar, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "held" : "free"; });

TEST(Modes, follow_from_each_other_whatever_the_scale) {
  // The same body, a million times stiffer: every lambda is a million times as large, the rigid motions stay at zero.
  VectorXd soft;
  for (double E : {1e4, 1e10}) {
    const NodalSystem system = Bar(1, false, testing::law("corotated", {{"E", E}, {"nu", 0.3}})).system();
    NodalLinearization lin(system);
    VectorXd g;
    lin.assemble(0, at_rest(system).q, Psd::none, g);
    const ElasticModes found = find_elastic_modes(lin, system.mass(), 5, 2, 1e4);
    EXPECT_EQ(found.rigid, 6);
    ASSERT_EQ(found.modes.lambda.size(), 6 + 5 + 2);
    const VectorXd elastic = found.modes.lambda.tail(7);
    if (soft.size() == 0) soft = elastic;
    EXPECT_LT((elastic / (E / 1e4) - soft).norm(), 1e-8 * soft.norm());
  }
}

TEST(Modes, refuses_what_cannot_be) {
  const NodalSystem system = Bar(1, true).system();
  NodalLinearization lin(system);
  VectorXd g;
  lin.assemble(0, at_rest(system).q, Psd::none, g);
  EXPECT_THROW(find_modes(lin, system.mass(), 0, 1), Error);
  EXPECT_THROW(find_modes(lin, system.mass(), static_cast<int>(system.dofs()) + 1, 1), Error);
}

TEST(Modes, trouble_is_a_status) {
  const NodalSystem system = Bar(2, true).system();
  NodalLinearization lin(system);
  VectorXd g;
  // Squeezed to a third, the bar buckles in many ways: K + M has no Cholesky factor.
  lin.assemble(0, at_rest(system).q / 3, Psd::none, g);
  const FoundModes found = find_modes(lin, system.mass(), 5, 1);
  EXPECT_NE(found.trouble.find("stable shape"), std::string::npos) << found.trouble;
  EXPECT_EQ(find_elastic_modes(lin, system.mass(), 5, 0, 1).trouble.empty(), false);
  lin.assemble(0, VectorXd::Constant(system.dofs(), std::nan("")), Psd::none, g);
  EXPECT_FALSE(least_shift(lin, system.mass()).has_value());
}

}  // namespace
}  // namespace brio

// SIERE: what it equals, and what it carries exactly.

#include "brio/integrate/siere.hpp"

#include "brio/integrate/si.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/oscillator.hpp"
#include <cmath>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;

TEST(Siere, without_modes_it_is_si) {
  Bar bar(2, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State one = at_rest(system), other = one;
  Siere siere(0, PsdPolicy::clamp);
  SemiImplicitEuler si(1, PsdPolicy::clamp);
  for (int i = 0; i < 10; ++i) {
    siere.step(system, one, 0.01);
    si.step(system, other, 0.01);
  }
  EXPECT_LT((one.q - other.q).norm(), 1e-13 * other.q.norm());
}

TEST(Siere, carries_an_oscillator_exactly) {
  const double omega = 40, h = 0.05;
  const NodalSystem system = testing::oscillator(omega);
  State state{0, Vec3(0.1, 0, 0), Vec3(0, 2, 0), {}};
  Siere siere(3, PsdPolicy::automatic);
  for (int i = 1; i <= 300; ++i) {
    ASSERT_EQ(siere.step(system, state, h).status, StepStatus::ok);
    EXPECT_NEAR(state.q[0], 0.1 * std::cos(omega * i * h), 1e-11);
    EXPECT_NEAR(state.q[1], 2 / omega * std::sin(omega * i * h), 1e-11);
  }
}

/// [SIERE] eq. 5 as printed, with dense matrices: u + h phi_1(h J_G) G-part + (I - h J_H)^-1 h H(u).
State dense_siere(const NodalSystem& system, const State& state, double h, int count) {
  NodalLinearization lin(system);
  VectorXd gradient, y;
  lin.assemble(state.t + h, state.q, Psd::none, gradient);
  const Index n = system.dofs();
  MatrixXd K(n, n);
  for (Index j = 0; j < n; ++j) {
    lin.multiply_stiffness(VectorXd::Unit(n, j), y);
    K.col(j) = y;
  }
  const Modes modes = find_modes(lin, system.mass(), count, 1 / (h * h));
  const MatrixXd M = system.mass().asDiagonal(), Minv = system.mass().cwiseInverse().asDiagonal();
  const MatrixXd P = modes.U * modes.U.transpose() * M;  // M-orthogonal projection on the modes
  MatrixXd J = MatrixXd::Zero(2 * n, 2 * n), JH = J, big = J;
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -Minv * K;
  big.topLeftCorner(n, n) = big.bottomRightCorner(n, n) = P;
  JH = J - big * J * big;
  VectorXd b(2 * n), u(2 * n);
  b << state.v, -Minv * gradient;
  u << state.q, state.v;
  const VectorXd H = b - big * b;
  VectorXd slow = VectorXd::Zero(2 * n);
  for (int i = 0; i < count; ++i) {
    const double w = std::sqrt(modes.lambda[i]), a = modes.U.col(i).dot(M * state.v), f = -modes.U.col(i).dot(gradient);
    slow.head(n) += modes.U.col(i) * (std::sin(w * h) / w * a + (1 - std::cos(w * h)) / (w * w) * f);
    slow.tail(n) += modes.U.col(i) * ((std::cos(w * h) - 1) * a + std::sin(w * h) / w * f);
  }
  // The paper's two Woodbury updates solve with I - h J_H, where the modes' part is the identity ([SIERE] eq. 10).
  const VectorXd rest = (MatrixXd::Identity(2 * n, 2 * n) - h * JH).fullPivLu().solve(slow + h * H);
  return {state.t + h, (u + rest).head(n), (u + rest).tail(n), {}};
}

TEST(Siere, deflated_step_is_that_of_the_paper) {
  Bar bar(1, true);
  bar.with_gravity();
  const NodalSystem system = bar.system();
  State state = at_rest(system);
  for (Index i = 0; i < state.v.size(); ++i) state.v[i] = 0.1 * std::sin(3.7 * static_cast<double>(i));
  const State expected = dense_siere(system, state, 0.01, 4);
  Siere siere(4, PsdPolicy::none);
  siere.step(system, state, 0.01);
  EXPECT_LT((state.q - expected.q).norm(), 1e-10 * expected.q.norm());
  EXPECT_LT((state.v - expected.v).norm(), 1e-9 * expected.v.norm());
}

TEST(Siere, counts_elastic_modes_of_a_free_body) {
  const NodalSystem system = Bar(2, false).system();
  State state = at_rest(system);
  Siere siere(5, PsdPolicy::automatic);
  ASSERT_EQ(siere.step(system, state, 0.01).status, StepStatus::ok);
  EXPECT_EQ(state.memory[1][0], 6);
  EXPECT_EQ(state.memory[0].size(), system.dofs() * (5 + 6 + 3));
}

}  // namespace
}  // namespace brio

// One mode over one step: the exact solution against a dense matrix exponential, over all signs and sizes.

#include "brio/integrate/parts/modal_step.hpp"

#include "brio/core/types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace brio {
namespace {

/// exp of the augmented matrix, in units of the step so that its entries are mild, applied to (x / h, x', 1, integral
/// of x / h^2) = (0, a, 1, 0).
ModePath by_matrix_exponential(const Mode& m, double h) {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A(0, 1) = A(3, 0) = 1;
  A.row(1) << -m.lambda * h * h, -m.d * h, (m.b + m.d * m.a) * h, 0;
  const Eigen::Vector4d end = A.exp() * Eigen::Vector4d(0, m.a, 1, 0);
  return {{h * end[0], end[1] - m.a}, h * h * end[3]};
}

TEST(ModalStep, exponential_is_the_matrix_exponential) {
  const double h = 0.01;
  for (double h2_lambda : {0.0, 1e-14, 1e-9, 1e-6, 0.01, 0.24, 0.26, 1.0, 30.0, -1e-9, -0.1, -1.0, -9.0}) {
    for (double h_d : {0.0, 1e-6, 0.1, 0.49, 0.51, 2.0}) {
      const Mode mode{h2_lambda / (h * h), h_d / h, 0.7, -30};
      const ModePath exact = by_matrix_exponential(mode, h), ours = exponential_step(mode, h);
      // Relative to what moves, a h and b h^2, and to the growth of an unstable mode.
      const double scale =
          (h * std::fabs(mode.a) + h * h * std::fabs(mode.b)) * std::exp(std::sqrt(std::fabs(h2_lambda)));
      EXPECT_NEAR(ours.dq, exact.dq, 1e-12 * scale) << h2_lambda << ", " << h_d;
      EXPECT_NEAR(ours.dv, exact.dv, 1e-12 * scale / h * (1 + std::fabs(h2_lambda))) << h2_lambda << ", " << h_d;
      EXPECT_NEAR(ours.sum, exact.sum, 1e-12 * scale * h) << h2_lambda << ", " << h_d;
    }
  }
}

TEST(ModalStep, backward_euler_is_the_implicit_equation) {
  const double h = 0.02;
  const Mode mode{400, 3, 0.5, -2};
  const ModeStep step = backward_euler_step(mode, h);
  EXPECT_NEAR(step.dv, h * (mode.b - mode.d * step.dv - mode.lambda * step.dq), 1e-14);
  EXPECT_NEAR(step.dq, h * (mode.a + step.dv), 1e-16);
}

}  // namespace
}  // namespace brio

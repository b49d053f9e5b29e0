#include "brio/integrate/parts/frozen_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {

double motion_norm(const VectorXd& mass, const VectorXd& x) { return std::sqrt(x.dot(mass.cwiseProduct(x))); }

double motion_speed(const FrozenMotion& motion, double h) {
  const double speed = motion_norm(motion.mass, motion.v);
  const VectorXd a = motion.f.cwiseQuotient(motion.mass);
  const double acceleration = motion_norm(motion.mass, a);
  if (!(acceleration > 0)) return speed;
  VectorXd Ka;
  motion.linearization.multiply_stiffness(a, Ka);
  const double omega = std::sqrt(std::fabs(a.dot(Ka))) / acceleration;
  return speed + acceleration / std::max(1 / h, omega);
}

double start_motion(const FrozenMotion& motion, double h, VectorXd& dq, VectorXd& dv, KrylovOutcome& outcome) {
  dq.setZero(motion.mass.size());
  dv.setZero(motion.mass.size());
  ++outcome.matvecs;
  return motion_speed(motion, h);
}

double highest_frequency(const FrozenMotion& motion, int products) {
  // Signs from a low-discrepancy sequence: every mode is in it, whatever the mesh.
  VectorXd x(motion.mass.size()), Kx;
  for (Index i = 0; i < x.size(); ++i) {
    const double golden = 0.6180339887498949 * static_cast<double>(i + 1);
    x[i] = golden - std::floor(golden) < 0.5 ? -1 : 1;
  }
  double square = 0;
  for (int i = 0; i < products; ++i) {
    x /= std::max(motion_norm(motion.mass, x), 1e-300);
    motion.linearization.multiply_stiffness(x, Kx);
    x = Kx.cwiseQuotient(motion.mass);
    square = motion_norm(motion.mass, x);
  }
  return std::sqrt(square);
}

std::string too_many_substeps(const KrylovLimits& limits, double h, double piece) {
  return fmt::format(
      "with {} vectors the exponential reaches {:.3g} s at a time, so that a step of {:.3g} s needs more than the {} "
      "sub-steps allowed. Shorten the step, raise integrator.space or integrator.substeps, or take siere or ksiere, "
      "whose cost does not grow with the stiffness",
      limits.space, piece, h, limits.substeps);
}

}  // namespace brio

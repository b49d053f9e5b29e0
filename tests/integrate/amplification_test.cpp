// Every method on the oscillator through the real code path, against its closed-form amplification per step.

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/integrators.hpp"
#include "support/oscillator.hpp"
#include <cmath>
#include <complex>

namespace brio {
namespace {

using testing::oscillator;
using testing::tight_integrator;

/// The 2x2 (or larger) matrix that one step multiplies (q, v, memory) with, found by stepping unit states. Positions
/// are measured in units of v / omega.
MatrixXd propagator(const std::string& name, const std::map<std::string, OptionValue>& options, double h_omega) {
  const double h = 0.01, omega = h_omega / h;
  const NodalSystem system = oscillator(omega);
  // Two steps from each of two starts give the matrix of a method without memory.
  MatrixXd T(2, 2);
  for (int j = 0; j < 2; ++j) {
    State state{0, Vec3::Zero(), Vec3::Zero(), {}};
    (j == 0 ? state.q : state.v).setConstant(j == 0 ? 1 / omega : 1);
    EXPECT_EQ(testing::prepared(system, tight_integrator(name, options))->step(state, h).status, StepStatus::ok);
    T.col(j) << omega * state.q[0], state.v[0];
  }
  return T;
}

double spectral_radius(const MatrixXd& T) {
  return Eigen::EigenSolver<MatrixXd>(T).eigenvalues().cwiseAbs().maxCoeff();
}

const double kProducts[] = {0.05, 0.4, 1.0, 1.9, 6.0};

TEST(Amplification, one_step_methods) {
  for (double z : kProducts) {
    const std::complex<double> i(0, 1), x = i * z;
    EXPECT_NEAR(spectral_radius(propagator("fe", {}, z)), std::sqrt(1 + z * z), 1e-10 * (1 + z)) << z;
    EXPECT_NEAR(spectral_radius(propagator("be", {}, z)), 1 / std::sqrt(1 + z * z), 1e-10) << z;
    EXPECT_NEAR(spectral_radius(propagator("si", {}, z)), 1 / std::sqrt(1 + z * z), 1e-10) << z;
    EXPECT_NEAR(spectral_radius(propagator("im", {}, z)), 1, 1e-10) << z;
    EXPECT_NEAR(spectral_radius(propagator("rk4", {}, z)),
                std::abs(1.0 + x + x * x / 2.0 + x * x * x / 6.0 + x * x * x * x / 24.0), 1e-10 * (1 + z * z * z * z))
        << z;
    // v1 = v0 - h w^2 q0, q1 = q0 + h v1: determinant 1, trace 2 - z^2.
    const double half_trace = 1 - z * z / 2;
    const double se = z < 2 ? 1 : std::fabs(half_trace) + std::sqrt(half_trace * half_trace - 1);
    EXPECT_NEAR(spectral_radius(propagator("se", {}, z)), se, 1e-10 * se) << z;
  }
}

TEST(Amplification, trapezoidal_newmark_turns_by_the_exact_angle_of_its_formula) {
  for (double z : kProducts) {
    const MatrixXd T = propagator("newmark", {}, z);
    EXPECT_NEAR(spectral_radius(T), 1, 1e-10);
    // cos of the angle per step: (1 - z^2/4) / (1 + z^2/4).
    EXPECT_NEAR(T.trace() / 2, (1 - z * z / 4) / (1 + z * z / 4), 1e-10);
  }
}

/// Decay per step after many steps, from the ratio of the oscillator's values: the roots with the largest modulus win.
double measured_decay(const std::string& name, const std::map<std::string, OptionValue>& options, double z, int skip) {
  const double h = 0.01, omega = z / h;
  const NodalSystem system = oscillator(omega);
  const auto integrator = tight_integrator(name, options);
  integrator->prepare(system);
  State state{0, Vec3::Constant(1 / omega), Vec3::Constant(0.3), {}};
  VectorXd q[4];
  for (int i = 0; i < skip; ++i) {
    integrator->step(state, h);
    q[i % 4] = state.q;
  }
  // Of a sequence c1 r1^n + c2 r2^n: x1 x3 - x2^2 shrinks by r1 r2 = |r|^2 a step.
  const auto x = [&](int back) { return q[(skip - 1 - back) % 4][0]; };
  return std::sqrt((x(0) * x(2) - x(1) * x(1)) / (x(1) * x(3) - x(2) * x(2)));
}

TEST(Amplification, bdf2_is_the_root_of_its_polynomial) {
  for (double z : {0.2, 0.7, 1.5}) {
    // r^2 (3 - 2 i z) - 4 r + 1 = 0, the larger root.
    const std::complex<double> a(3, -2 * z), root = std::sqrt(16.0 - 4.0 * a);
    const double radius = std::max(std::abs((4.0 + root) / (2.0 * a)), std::abs((4.0 - root) / (2.0 * a)));
    EXPECT_NEAR(measured_decay("bdf2", {}, z, 60), radius, 1e-10) << z;
  }
}

/// [ERE] section 3.2's matrix with Chung and Hulbert's coefficients.
double generalized_alpha_radius(double r, double z) {
  const double am = (2 * r - 1) / (1 + r), af = r / (1 + r), beta = std::pow(1 - am + af, 2) / 4, gamma = 0.5 - am + af;
  Mat3 L, R;
  L << 1, 0, -beta, 0, 1, -gamma, (1 - af) * z * z, 0, 1 - am;
  R << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -af * z * z, 0, -am;
  return spectral_radius(L.inverse() * R);
}

TEST(Amplification, generalized_alpha_is_the_root_of_its_polynomial) {
  for (double r : {0.2, 0.5, 0.9})
    for (double z : {0.5, 1.0, 2.0})
      EXPECT_NEAR(measured_decay("genalpha", {{"r", r}}, z, 60), generalized_alpha_radius(r, z), 1e-10)
          << r << ", " << z;
}

/// The closed form that the table of integrators offers.
double tabled(const std::string& name, const std::map<std::string, OptionValue>& options, double z) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", name);
  return row.amplification(Options(row.options, options, name), z);
}

TEST(Amplification, the_table_s_closed_forms_are_what_the_methods_do) {
  using Case = std::pair<std::string, std::map<std::string, OptionValue>>;
  for (const Case& c : std::vector<Case>{{"fe", {}},
                                         {"se", {}},
                                         {"rk4", {}},
                                         {"si", {}},
                                         {"si", {{"beta", 0.5}}},
                                         {"si", {{"beta", 2.0}}},
                                         {"be", {}},
                                         {"im", {}},
                                         {"ere", {}},
                                         {"newmark", {}},
                                         {"newmark", {{"gamma", 0.6}, {"beta", 0.3025}}}})
    for (double z : kProducts) {
      const double rho = spectral_radius(propagator(c.first, c.second, z));
      // The eigenvalues of a nearly defective matrix (se at z = 1.9, si close to its double root) are known to 1e-8.
      EXPECT_NEAR(tabled(c.first, c.second, z), rho, 1e-7 * rho) << c.first << " at " << z;
    }
  for (double z : {0.2, 0.7, 1.5}) {
    EXPECT_NEAR(tabled("bdf2", {}, z), measured_decay("bdf2", {}, z, 60), 1e-9) << z;
    EXPECT_NEAR(tabled("genalpha", {}, z), measured_decay("genalpha", {}, z, 60), 1e-7) << z;
  }
}

}  // namespace
}  // namespace brio

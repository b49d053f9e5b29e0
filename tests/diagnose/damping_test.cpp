// Measured damping against the closed forms, for every row of the table of integrators.

#include "brio/diagnose/damping.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

/// The methods as they come, and settings in which the memory and the roots look different.
std::vector<Method> methods() {
  std::vector<Method> all;
  for (const IntegratorEntry& row : integrators()) all.push_back(parse_method(row.name));
  for (const char* text : {"genalpha:r=0", "genalpha:r=0.2", "genalpha:r=0.9", "genalpha:r=1",
                           "newmark:gamma=0.7:beta=0.4", "si:beta=0.5", "si:beta=2", "be:solver=minimize"})
    all.push_back(parse_method(text));
  return all;
}

TEST(Damping, measured_is_the_closed_form) {
  int compared = 0;
  // Not at 1 itself, where methods that treat slow and fast modes differently may change from one to the other.
  for (const Method& method : methods())
    for (double z : {0.01, 0.1, 0.5, 0.9, 1.7, 3.0, 10.0, 100.0}) {
      const double measured = damping_over_omega(measured_amplification(method, 0.01, z), z);
      EXPECT_TRUE(std::isfinite(measured)) << method.name << " at " << z;
      if (!method.row->amplification) continue;
      ++compared;
      EXPECT_NEAR(measured, damping_over_omega(closed_form_amplification(method, z), z), 1e-8)
          << method.name << " at " << z;
    }
  EXPECT_GE(compared, 9 * 8);
}

TEST(Damping, depends_on_the_product_alone) {
  for (const Method& method : methods()) {
    const double slow = measured_amplification(method, 1, 0.8), fast = measured_amplification(method, 1e-4, 0.8);
    EXPECT_NEAR(slow, fast, 1e-9 * slow) << method.name;
  }
}

TEST(Damping, signs_and_paper_values) {
  const auto damping = [](const char* name, double z) {
    return damping_over_omega(measured_amplification(parse_method(name), 0.01, z), z);
  };
  EXPECT_NEAR(damping("be", 1), std::log(2.0), 1e-10);  // [ERE] section 3.2, at tau = 1 / omega
  EXPECT_NEAR(damping("im", 1), 0, 1e-10);
  EXPECT_LT(damping("fe", 1), -0.5);    // gains
  EXPECT_LT(damping("se", 2.5), -0.1);  // beyond its limit of 2
  EXPECT_NEAR(damping("se", 1.5), 0, 1e-9);
}

TEST(Damping, exact_oscillator_solves_its_equation) {
  for (double d : {0.0, 1.0, 13.9, 40.0, 100.0}) {  // omega = 20: up to and beyond the aperiodic limit 2 omega
    const double omega = 20, dt = 1e-4;
    const OscillatorRun run = exact_oscillator(omega, d, 0.5, 5001);
    EXPECT_NEAR((run.q[1] - run.q[0]) / dt, 1, 0.01) << d;
    for (size_t i = 1; i + 1 < run.q.size(); i += 97) {
      const double a = (run.q[i + 1] - 2 * run.q[i] + run.q[i - 1]) / (dt * dt);
      const double v = (run.q[i + 1] - run.q[i - 1]) / (2 * dt);
      EXPECT_NEAR(a + d * v + omega * omega * run.q[i], 0, 2e-3) << d << " at " << run.t[i];
    }
  }
}

TEST(Damping, small_steps_follow_the_exact_oscillator) {
  const OscillatorRun exact = exact_oscillator(100, 1, 0.1, 1001);
  const OscillatorRun steps = step_oscillator(parse_method("rk4"), 100, 1, 1e-4, 1000);
  ASSERT_EQ(steps.q.size(), exact.q.size());
  for (size_t i = 0; i < exact.q.size(); ++i) EXPECT_NEAR(steps.q[i], exact.q[i], 1e-9);
}

TEST(Damping, methods_are_read_with_their_options) {
  const Method method = parse_method("genalpha:r=0.25:solver=minimize");
  EXPECT_EQ(method.row->name, "genalpha");
  EXPECT_EQ(method.options.number("r"), 0.25);
  EXPECT_EQ(method.options.text("solver"), "minimize");
  const auto complaint = [](const char* text) -> std::string {
    try {
      parse_method(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint("bdf3").find("did you mean \"bdf2\"?"), std::string::npos) << complaint("bdf3");
  EXPECT_NE(complaint("genalpha:q=1").find("\"q\""), std::string::npos) << complaint("genalpha:q=1");
  EXPECT_NE(complaint("genalpha:r").find("key=value"), std::string::npos);
  EXPECT_NE(complaint("genalpha:r=half").find("genalpha.r = half: expected a number"), std::string::npos);
  EXPECT_NE(complaint("genalpha:r=2").find("genalpha.r"), std::string::npos) << complaint("genalpha:r=2");
}

}  // namespace
}  // namespace brio

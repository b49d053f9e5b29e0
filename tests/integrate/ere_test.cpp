// ERE: each of its paths against a dense exponential, what it carries exactly, and what it refuses.

#include "brio/core/error.hpp"
#include "brio/energy/spring_energy.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "dense_motion.hpp"
#include "support/bodies.hpp"
#include "support/free_bodies.hpp"
#include "support/integrators.hpp"
#include "support/oscillator.hpp"
#include <cmath>
#include <functional>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::DenseMotion;
using testing::integrator;
using testing::law;
using Settings = std::map<std::string, OptionValue>;

/// How the exponential of a step was computed.
std::string exponential_method(const StepReport& report) {
  for (const auto& [what, value] : report.extras.entries())
    if (what->name == "exponential_method") return std::string(what->label(value));
  return "";
}

struct Problem {
  std::string name;
  std::function<NodalSystem()> system;
  double squeeze = 1;  ///< the start is stretched by this along x
  double h = 0.01;
};

NodalSystem bar(bool held, double E, RayleighDamping damping) {
  Bar body(1, held, law("neo-hookean", {{"E", E}, {"nu", 0.4}}));
  body.with_gravity();
  body.parts.damping = damping;
  return body.system();
}

const std::vector<Problem> kProblems = {
    {"soft", [] { return bar(true, 1e4, {}); }},
    {"stiff", [] { return bar(true, 1e8, {}); }},
    {"mass_damped",
     [] {
       return bar(true, 1e6, {5, 0, true});
     }},
    {"current_stiffness_damped",
     [] {
       return bar(true, 1e6, {0.1, 1e-3, false});
     }},
    {"overdamped",
     [] {
       return bar(true, 1e6, {0.01, 0.01, false});
     }},
    {"rest_stiffness_damped",
     [] {
       return bar(true, 1e6, {0.1, 1e-3, true});
     }},
    {"overdamped_by_rest_stiffness",
     [] {
       return bar(true, 1e6, {0.01, 0.01, true});
     }},
    {"indefinite_and_damped_by_rest_stiffness",
     [] {
       return bar(true, 1e6, {0.1, 1e-4, true});
     },
     0.4},
    {"indefinite", [] { return bar(true, 1e6, {}); }, 0.4},
    {"indefinite_and_damped",
     [] {
       return bar(true, 1e6, {0.1, 1e-4, false});
     },
     0.4},
    {"free", [] { return bar(false, 1e6, {}); }},
    {"long_step", [] { return bar(true, 1e5, {}); }, 1, 0.5},
};

State lively(const NodalSystem& system, double squeeze) {
  MatrixX3d x = system.rest_positions();
  x.col(0) *= squeeze;
  State state = at_rest(system);
  state.q = system.free_part(testing::shaken(x, 1e-3));
  for (Index i = 0; i < state.v.size(); ++i) state.v[i] = std::sin(3.7 * static_cast<double>(i));
  return state;
}

class ErePaths : public ::testing::TestWithParam<Problem> {};

TEST_P(ErePaths, agree_with_a_dense_exponential_to_the_tolerance) {
  const Problem& problem = GetParam();
  const NodalSystem system = problem.system();
  const State start = lively(system, problem.squeeze);
  const double h = problem.h;
  const DenseMotion dense(system, start, h);
  const VectorXd exact = dense.added(h);
  // Unstable directions let errors grow as they let the motion grow.
  const double scale = std::max(dense.speed(h), dense.energy_norm(exact));
  const bool proportional = NodalLinearization(system).proportional_damping().has_value();
  for (const char* path : {"arnoldi", "lanczos", "chebyshev"}) {
    if (path == std::string("lanczos") && !proportional) continue;
    for (double tolerance : {1e-4, 1e-7, 1e-10}) {
      State state = start;
      const auto ere = integrator("ere", {{"path", path}, {"tolerance", tolerance}, {"space", 30.0}, {"frame", "off"}});
      ere->prepare(system);
      const StepReport report = ere->step(state, h);
      ASSERT_EQ(report.status, StepStatus::ok) << report.reason;
      EXPECT_EQ(exponential_method(report), path);
      EXPECT_LE(testing::extra(report, "exponential_error"), tolerance);
      VectorXd added(2 * system.dofs());
      added << state.q - start.q, state.v - start.v;
      const double error = dense.energy_norm(added - exact) / scale;
      // Positions are stored with round-off of 1e-16 m, which the stiffness turns into energy.
      const double rounding = 1e-15 * start.q.norm() * std::sqrt(dense.K.norm()) / scale;
      EXPECT_LE(error, tolerance + rounding) << path << ", " << testing::extra(report, "matvecs") << " products";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ErePaths, ::testing::ValuesIn(kProblems),
                         [](const auto& info) { return info.param.name; });

TEST(Ere, the_indefinite_problem_is_indefinite) {
  const NodalSystem system = bar(true, 1e6, {});
  const DenseMotion dense(system, lively(system, 0.4), 0.01);
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<MatrixXd>(dense.K).eigenvalues()[0], -100);
}

TEST(Ere, the_choice_of_path_is_automatic_and_reported) {
  const auto path = [](RayleighDamping damping) {
    const NodalSystem system = bar(true, 1e5, damping);
    State state = lively(system, 1);
    return exponential_method(testing::prepared(system, integrator("ere"))->step(state, 0.01));
  };
  EXPECT_EQ(path({}), "chebyshev");
  EXPECT_EQ(path({0.1, 0, true}), "chebyshev");
  EXPECT_EQ(path({0.1, 1e-3, false}), "chebyshev");
  EXPECT_EQ(path({0.1, 1e-3, true}), "chebyshev");
}

/// The term beyond Lanczos' space makes the change of velocity K times something, and Chebyshev's series is exact at 0:
/// however loose the tolerance, a free body feels no net force.
TEST(Ere, a_loose_tolerance_keeps_the_momentum_of_a_free_body) {
  const NodalSystem system = Bar(1, false, law("neo-hookean", {{"E", 1e6}, {"nu", 0.4}})).system();
  const State start = lively(system, 1);
  const auto total = [&](const State& state) -> Vec3 {
    const VectorXd p = system.mass().cwiseProduct(state.v);
    return Eigen::Map<const Eigen::Matrix3Xd>(p.data(), 3, p.size() / 3).rowwise().sum();
  };
  const double size = system.mass().cwiseProduct(start.v).lpNorm<1>();
  for (const char* path : {"lanczos", "chebyshev"}) {
    State state = start;
    const Settings settings = {{"path", path}, {"tolerance", 0.01}, {"frame", "off"}};
    const StepReport report = testing::prepared(system, integrator("ere", settings))->step(state, 0.01);
    EXPECT_GT(testing::extra(report, "exponential_error"), 1e-6) << path;  // it is loose indeed
    EXPECT_LT((total(state) - total(start)).norm(), 1e-13 * size * testing::extra(report, "matvecs")) << path;
  }
}

TEST(Ere, carries_a_damped_oscillator_exactly_at_any_step) {
  const double omega = 40, d = 3, mu = std::sqrt(omega * omega - d * d / 4);
  const NodalSystem system = testing::oscillator(omega, 2, {d, 0, true});
  for (const char* path : {"arnoldi", "lanczos", "chebyshev"})
    for (double h : {1e-3, 0.05, 0.7}) {
      State state{0, Vec3(0.1, 0, 0), Vec3(0, 2, 0), {}};
      const auto ere = integrator("ere", {{"path", path}, {"tolerance", 1e-12}});
      ere->prepare(system);
      for (int i = 1; i <= 20; ++i) {
        ASSERT_EQ(ere->step(state, h).status, StepStatus::ok);
        const double t = i * h, decay = std::exp(-d * t / 2);
        EXPECT_NEAR(state.q[0], 0.1 * decay * (std::cos(mu * t) + d / (2 * mu) * std::sin(mu * t)), 1e-11) << path;
        EXPECT_NEAR(state.q[1], 2 / mu * decay * std::sin(mu * t), 1e-11) << path;
      }
    }
}

/// Two points on a spring along z: what the search for the spectrum starts from has no share in it, so that it finds
/// none. The polynomials grow beyond all bounds then, and tell.
TEST(Ere, chebyshev_notices_a_stiffness_that_was_not_found) {
  for (const double k : {10.0, 1e4, 1e8}) {
    NodalParts parts;
    parts.x0 = MatrixX3d::Zero(2, 3);
    parts.x0(1, 2) = 1;
    parts.vertex_mass = VectorXd::Constant(2, 0.5);
    parts.energies.push_back(
        std::make_unique<SpringEnergy>(parts.x0, MatrixX2i{{0, 1}}, VectorXd::Constant(1, k)));
    const NodalSystem system(std::move(parts));
    const double omega = std::sqrt(2 * k / 0.5), h = 0.1;
    State state = at_rest(system);
    state.v[2] = -1, state.v[5] = 1;
    const VectorXd rest = state.q, start = state.v;
    const auto ere = integrator("ere", {{"path", "chebyshev"}, {"frame", "off"}, {"tolerance", 1e-10}});
    const StepReport report = testing::prepared(system, ere.get())->step(state, h);
    ASSERT_EQ(report.status, StepStatus::ok) << report.reason;
    EXPECT_LT((state.v - std::cos(h * omega) * start).norm(), 1e-10 * start.norm()) << k;
    EXPECT_LT(omega * (state.q - rest - std::sin(h * omega) / omega * start).norm(), 1e-10 * start.norm()) << k;
  }
}

/// Springs in a row between two walls, moving along their line: K is constant, so one long step is as good as many.
TEST(Ere, a_linear_system_needs_one_step) {
  NodalParts parts;
  const int n = 12;
  parts.x0 = MatrixX3d::Zero(n, 3);
  parts.vertex_mass = VectorXd::Constant(n, 0.1);
  std::vector<int> anchors;
  for (int i = 0; i < n; ++i) parts.x0(i, 0) = 0.1 * i, anchors.push_back(i);
  parts.energies.push_back(std::make_unique<AttachmentEnergy>(anchors, parts.x0, 3000, stand_still()));
  parts.damping = {0.2, 1e-4, true};
  const NodalSystem system(std::move(parts));
  State start = at_rest(system), once = start, often = start;
  for (Index i = 0; i < once.v.size(); ++i) once.v[i] = often.v[i] = std::cos(2.3 * static_cast<double>(i));
  const auto ere = integrator("ere", {{"tolerance", 1e-12}});
  ere->prepare(system);
  ASSERT_EQ(ere->step(once, 1).status, StepStatus::ok);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(ere->step(often, 0.01).status, StepStatus::ok);
  EXPECT_LT((once.q - often.q).norm(), 1e-10 * (often.q - start.q).norm() + 1e-12);
  EXPECT_LT((once.v - often.v).norm(), 1e-10 * often.v.norm() + 1e-12);
}

TEST(Ere, books_what_the_damping_takes_out_of_a_linear_system) {
  const NodalSystem system = testing::oscillator(40, 2, {3, 0, true});
  State state{0, Vec3(0.1, 0, 0), Vec3(0, 2, 0), {}};
  const auto energy = [&] { return system.potentials(state.t, state.q).total() + state.v.squaredNorm(); };
  const double before = energy();
  double dissipated = 0;
  const auto ere = integrator("ere", {{"tolerance", 1e-12}});
  ere->prepare(system);
  for (int i = 0; i < 10; ++i) dissipated += ere->step(state, 0.1).dissipated;
  EXPECT_NEAR(before - energy(), dissipated, 1e-10 * before);
}

TEST(Ere, keeps_the_spin_of_a_free_body) {
  const NodalSystem system(testing::block(1e6, {3, 2, 1}));
  const State start = testing::thrown(system, Vec3(1, 0, 0), Vec3(0, 0, 5));
  const Vec3 P = testing::linear_momentum(system, start), L = testing::angular_momentum(system, start);
  const double energy = testing::kinetic(system, start);
  const auto after_a_second = [&](const char* frame) {
    State state = start;
    testing::run(*integrator("ere", {{"frame", frame}}), system, state, 1.0 / 30, 30);
    return state;
  };
  const State framed = after_a_second("auto"), bare = after_a_second("off");
  EXPECT_LT((testing::linear_momentum(system, framed) - P).norm(), 1e-12 * P.norm());
  EXPECT_LT((testing::angular_momentum(system, framed) - L).norm(), 1e-11 * L.norm());
  const double left = testing::kinetic(system, framed) + system.potentials(framed.t, framed.q).total();
  EXPECT_NEAR(left, energy, 1e-3 * energy);
  // The linearized motion of a body that turns is not a turn: the spin is lost, or grows, by a tenth and more.
  EXPECT_GT(std::fabs(testing::angular_momentum(system, bare)[2] / L[2] - 1), 0.1);
}

TEST(Ere, books_what_mass_damping_takes_from_a_free_body) {
  NodalParts parts = testing::block(1e5, {2, 1, 1});
  parts.damping = {0.5, 0, true};
  const NodalSystem system(std::move(parts));
  State state = testing::thrown(system, Vec3(1, 0, 0), Vec3(0, 0, 5));
  const double start = testing::kinetic(system, state);
  const auto ere = testing::prepared(system, integrator("ere"));
  double taken = 0;
  for (int i = 0; i < 100; ++i) taken += ere->step(state, 0.01).dissipated;
  const double left = testing::kinetic(system, state) + system.potentials(state.t, state.q).total();
  // A rigid motion dies out as exp(-alpha t); what is booked is of first order in alpha h.
  EXPECT_NEAR(left, start * std::exp(-2 * 0.5 * 1.0), 1e-3 * start);
  EXPECT_NEAR(start - left, taken, 0.005 * start);
}

TEST(Ere, a_step_that_needs_too_many_sub_steps_is_a_status) {
  const NodalSystem system = bar(true, 1e10, {});
  for (const char* path : {"arnoldi", "lanczos", "chebyshev"}) {
    State state = lively(system, 1);
    const State before = state;
    const auto ere = integrator("ere", {{"path", path}, {"substeps", 2.0}, {"space", 10.0}});
    ere->prepare(system);
    const StepReport report = ere->step(state, 0.1);
    EXPECT_EQ(report.status, StepStatus::diverged);
    EXPECT_NE(report.reason.find("sub-steps"), std::string::npos) << report.reason;
    EXPECT_LE(testing::extra(report, "matvecs"), 100);  // it sees so at once, not after trying
    EXPECT_TRUE(state.q == before.q && state.v == before.v && state.t == before.t);
  }
}

TEST(Ere, refuses_what_makes_no_sense) {
  for (const Settings& bad : std::vector<Settings>{{{"tolerance", 0.0}},
                                                   {{"tolerance", -1e-6}},
                                                   {{"tolerance", 1.0}},
                                                   {{"space", 0.0}},
                                                   {{"substeps", 0.0}},
                                                   {{"path", "krylov"}}})
    EXPECT_THROW(integrator("ere", bad), Error);
  const NodalSystem system = bar(true, 1e5, {0.1, 1e-3, true});
  EXPECT_THROW(testing::prepared(system, integrator("ere", {{"path", "lanczos"}})), Error);
}

TEST(Ere, a_body_without_motion_or_force_stays) {
  Bar body(1, true);
  const NodalSystem system = body.system();
  for (const char* path : {"arnoldi", "lanczos", "chebyshev"}) {
    State state = at_rest(system);
    const StepReport report = testing::prepared(system, integrator("ere", {{"path", path}}))->step(state, 0.01);
    EXPECT_EQ(report.status, StepStatus::ok);
    EXPECT_LT(state.v.norm(), 1e-9);
  }
}

TEST(Ere, a_fully_fixed_body_is_no_trouble) {
  Bar body(1, true);
  body.parts.supports[0].vertices = testing::first_integers(body.mesh.vertices());
  const NodalSystem system = body.system();
  for (const char* path : {"arnoldi", "lanczos", "chebyshev"}) {
    State state = at_rest(system);
    EXPECT_EQ(testing::prepared(system, integrator("ere", {{"path", path}}))->step(state, 0.01).status, StepStatus::ok);
    EXPECT_EQ(state.t, 0.01);
  }
}

TEST(Ere, second_order_with_moving_supports) {
  const auto end = [](const std::string& name, int steps) {
    const NodalSystem system = testing::oscillator_on_a_swing();
    State state = at_rest(system);
    const auto method = testing::tight_integrator(name);
    method->prepare(system);
    for (int i = 0; i < steps; ++i) method->step(state, 0.3 / steps);
    return state.q[0];
  };
  const double exact = end("rk4", 4000);
  EXPECT_NEAR(std::log2((end("ere", 32) - exact) / (end("ere", 64) - exact)), 2, 0.1);
}

}  // namespace
}  // namespace brio

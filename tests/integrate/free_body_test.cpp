// Bodies that nothing holds: momentum, rotation, and what must not change because of their frames.

#include "brio/core/parallel.hpp"
#include "brio/diagnose/momentum.hpp"
#include "brio/energy/spring_energy.hpp"
#include "brio/integrate/rigid_motion.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>
#include <numbers>

namespace brio {
namespace {

using testing::at_rest;
using testing::Bar;
using testing::integrator;
using testing::law;

using IntegratorOptions = std::map<std::string, OptionValue>;

/// A block without any symmetry but its planes, `cells` cells along the edges of 0.3, 0.2 and 0.1 m.
NodalParts block(double E, std::array<int, 3> cells = {3, 2, 1}, double rho = 1000) {
  const TetMesh mesh = make_box(Vec3(0.3, 0.2, 0.1), cells, 6);
  NodalParts parts;
  parts.x0 = mesh.X;
  parts.vertex_mass = testing::lumped_mass(mesh, rho);
  parts.energies.push_back(std::make_unique<ElasticEnergy>(
      mesh, std::vector<ElasticPart>{
                {law("stable-neo-hookean", {{"E", E}, {"nu", 0.4}}), testing::first_integers(mesh.tets())}}));
  return parts;
}

Points all_points(const NodalSystem& system) {
  Points points(system.dofs() / 3);
  std::iota(points.begin(), points.end(), 0);
  return points;
}

/// At rest but for a motion as a whole: velocity of the centre and angular velocity about it.
State thrown(const NodalSystem& system, const Vec3& velocity, const Vec3& spin) {
  State state = at_rest(system);
  for (const Points& points : system.free_pieces()) {
    const Vec3 centre = mean(points, system.mass(), state.q);
    for (int i : points) state.v.segment<3>(3 * i) = velocity + spin.cross(Vec3(state.q.segment<3>(3 * i) - centre));
  }
  return state;
}

Vec3 linear_momentum(const NodalSystem& system, const State& state) {
  return sum(all_points(system), system.mass().cwiseProduct(state.v));
}

Vec3 angular_momentum(const NodalSystem& system, const State& state, const Vec3& about = Vec3::Zero()) {
  return moment(all_points(system), state.q, about, system.mass().cwiseProduct(state.v));
}

double kinetic(const NodalSystem& system, const State& state) {
  return 0.5 * state.v.dot(system.mass().cwiseProduct(state.v));
}

void run(Integrator& method, const NodalSystem& system, State& state, double h, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_EQ(method.step(system, state, h).status, StepStatus::ok) << "step " << i;
}

class FreeBody : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, FreeBody, ::testing::Values("si", "siere", "ksiere"),
                         [](const auto& info) { return info.param; });

TEST_P(FreeBody, tumbles_for_10000_steps_with_the_momentum_it_had) {
  const NodalSystem system(block(1e6, {2, 1, 1}));
  State state = thrown(system, Vec3(0.3, -0.2, 0.1), Vec3(0.1, 5, 0.3));
  const Vec3 P = linear_momentum(system, state), L = angular_momentum(system, state);
  const auto method = integrator(GetParam());
  run(*method, system, state, 0.01, 10000);
  // Round-off: 1e4 steps of relative 1e-16 each, with some head room; measured 1e-14.
  EXPECT_LT((linear_momentum(system, state) - P).norm(), 1e-12 * P.norm());
  // About the origin the centre's path enters, and it is 37 m long: that makes the sum a hundred times larger.
  EXPECT_LT((angular_momentum(system, state) - L).norm(), 1e-10 * L.norm());
}

/// The times at which the angular momentum l of a rigid body, seen in its own axes, crosses the plane through its axes
/// of least and greatest inertia: l' = l x I^-1 l (Euler's equations), by small steps of Runge-Kutta.
std::vector<double> rigid_flips(const Mat3& I, Vec3 l, const Vec3& middle, double duration) {
  const double h = 1e-4;
  const Mat3 inverse = I.inverse();
  const auto rate = [&](const Vec3& x) -> Vec3 { return x.cross(Vec3(inverse * x)); };
  std::vector<double> flips;
  double before = middle.dot(l);
  for (int i = 1; i * h <= duration; ++i) {
    const Vec3 k1 = rate(l), k2 = rate(l + h / 2 * k1), k3 = rate(l + h / 2 * k2), k4 = rate(l + h * k3);
    l += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double now = middle.dot(l);
    if (now * before < 0) flips.push_back(i * h - h * now / (now - before));
    before = now;
  }
  return flips;
}

TEST_P(FreeBody, a_stiff_racket_flips_when_a_rigid_one_does) {
  const NodalSystem system(block(1e9, {2, 1, 1}));
  // The block's edges of 0.3, 0.2, 0.1 m lie along x, y, z, so that the axis of middle inertia is about y.
  State state = thrown(system, Vec3::Zero(), Vec3(0.05, 10, 0));
  const Points points = all_points(system);
  const Vec3 centre = mean(points, system.mass(), state.q), L = angular_momentum(system, state, centre);
  const Mat3 I = inertia(points, system.mass(), state.q, centre);
  const Vec3 middle = Eigen::SelfAdjointEigenSolver<Mat3>(I).eigenvectors().col(1);
  const double duration = 8, h = 0.005;
  const std::vector<double> expected = rigid_flips(I, L, middle, duration);
  ASSERT_GE(expected.size(), 4u);
  // How the body stands now, from three of its edges.
  const VectorXd rest = state.q;
  const auto vertex = [&](const Vec3& x) {
    return *std::find_if(points.begin(), points.end(),
                         [&](int i) { return (rest.segment<3>(3 * i) - x).norm() < 1e-9; });
  };
  const int corner = vertex(Vec3(0, 0, 0)), ends[] = {vertex({0.3, 0, 0}), vertex({0, 0.2, 0}), vertex({0, 0, 0.1})};
  const auto edges = [&](const VectorXd& q) {
    Mat3 E;
    for (int k = 0; k < 3; ++k) E.col(k) = q.segment<3>(3 * ends[k]) - q.segment<3>(3 * corner);
    return E;
  };
  const Vec3 in_edges = edges(rest).inverse() * middle;
  const auto method = integrator(GetParam());
  std::vector<double> flips;
  double before = L.dot(middle);
  for (int i = 1; i * h <= duration; ++i) {
    ASSERT_EQ(method->step(system, state, h).status, StepStatus::ok);
    const double now = L.dot(edges(state.q) * in_edges);
    if (now * before < 0) flips.push_back(i * h - h * now / (now - before));
    before = now;
  }
  ASSERT_EQ(flips.size(), expected.size());
  // The spin stretches even this body by 1e-7; what that changes, the unstable axis multiplies from flip to flip.
  for (size_t i = 0; i < flips.size(); ++i) EXPECT_NEAR(flips[i], expected[i], 1e-3) << "flip " << i;
}

TEST_P(FreeBody, a_spinning_bar_keeps_its_spin_where_it_lost_it_without_a_frame) {
  Bar bar(2, false, law("stvk", {{"E", 1e6}, {"nu", 0.4}}));
  const NodalSystem system = bar.system();
  const auto kept = [&](const IntegratorOptions& options) {
    State state = thrown(system, Vec3::Zero(), Vec3(0, 0, 15));
    const double before = angular_momentum(system, state).z();
    const auto method = integrator(GetParam(), options);
    run(*method, system, state, 0.01, 300);
    return angular_momentum(system, state).z() / before;
  };
  EXPECT_LT(kept({{"frame", "off"}}), 0.2);
  EXPECT_NEAR(kept({}), 1, 1e-12);
}

TEST_P(FreeBody, a_spinning_bar_keeps_its_energy_too) {
  Bar bar(2, false, law("stvk", {{"E", 1e6}, {"nu", 0.4}}));
  const NodalSystem system = bar.system();
  State state = thrown(system, Vec3::Zero(), Vec3(0, 0, 15));
  const auto energy = [&] { return kinetic(system, state) + system.potentials(0, state.q).total(); };
  const double before = energy();
  const auto method = integrator(GetParam());
  run(*method, system, state, 0.01, 300);
  // It stretches, swings about the stretched length, and si damps that swing: 0.1 % of the energy.
  EXPECT_NEAR(energy() / before, 1, 0.005);
}

TEST(FreeBodySpin, modes_that_are_carried_exactly_neither_grow_nor_fade_because_of_the_spin) {
  // A bar soft enough (lowest h omega about 0.3) for the Coriolis force to matter. Treated explicitly, as
  // f - M w x (v - v_c), it makes these modes grow by a percent and more in every step (docs/free-bodies.md).
  const NodalSystem system = Bar(1, false, law("stvk", {{"E", 1e5}, {"nu", 0.4}})).system();
  State state = thrown(system, Vec3::Zero(), Vec3(0, 0, 8));
  for (int i : all_points(system)) state.v[3 * i + 2] += 0.3 * std::cos(20 * state.q[3 * i]);
  const auto energy = [&] { return kinetic(system, state) + system.potentials(0, state.q).total(); };
  const double before = energy();
  const auto method = integrator("siere", {{"modes", 40.0}});
  for (int i = 0; i < 1000; ++i) {
    run(*method, system, state, 0.01, 1);
    ASSERT_LT(energy(), 1.1 * before) << "step " << i;
  }
  EXPECT_GT(energy(), 0.5 * before);
}

TEST(FreeBodySpin, orders_of_convergence_are_those_of_held_bodies) {
  const NodalSystem system = Bar(1, false, law("neo-hookean", {{"E", 2e4}, {"nu", 0.3}})).system();
  const auto end = [&](const std::string& name, int steps) {
    State state = thrown(system, Vec3(1, 0, 0), Vec3(3, 4, 12));
    for (int i : all_points(system)) state.v[3 * i + 2] += 0.5 * std::cos(20 * state.q[3 * i]);
    const auto method = integrator(name);
    run(*method, system, state, 0.03 / steps, steps);
    VectorXd x(2 * system.dofs());
    x << state.q, 0.01 * state.v;
    return x;
  };
  const VectorXd exact = end("rk4", 4000);
  for (const auto& [name, order] : std::map<std::string, double>{{"si", 1}, {"siere", 1}, {"ksiere", 2}}) {
    const double coarse = (end(name, 64) - exact).norm(), fine = (end(name, 128) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << name;
  }
}

TEST_P(FreeBody, falls_along_the_parabola) {
  NodalParts parts = block(1e5);
  const Vec3 g(0, -9.81, 0);
  parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, g));
  const NodalSystem system(std::move(parts));
  const Vec3 v0(1, 2, 3);
  State state = thrown(system, v0, Vec3(1, 2, 4));
  const Points points = all_points(system);
  const Vec3 c0 = mean(points, system.mass(), state.q), L0 = angular_momentum(system, state, c0);
  const auto method = integrator(GetParam());
  run(*method, system, state, 0.01, 100);
  const Vec3 c = mean(points, system.mass(), state.q);
  EXPECT_LT((c - c0 - v0 - 0.5 * g).norm(), 1e-11);
  EXPECT_LT((mean(points, system.mass(), state.v) - v0 - g).norm(), 1e-11);
  const VectorXd from_centre = state.v - mean(points, system.mass(), state.v).replicate(points.size(), 1);
  EXPECT_LT((moment(points, state.q, c, system.mass().cwiseProduct(from_centre)) - L0).norm(), 1e-11 * L0.norm());
}

TEST_P(FreeBody, mass_damping_slows_it_exponentially) {
  NodalParts parts = block(1e6);
  parts.damping = {0.7, 1e-3, true};
  const NodalSystem system(std::move(parts));
  State state = thrown(system, Vec3(1, 2, 3), Vec3(0, 0, 8));
  const Vec3 P = linear_momentum(system, state);
  const Points points = all_points(system);
  const auto spin_momentum = [&] {
    const Vec3 c = mean(points, system.mass(), state.q);
    return Vec3(angular_momentum(system, state) - c.cross(linear_momentum(system, state)));
  };
  const Vec3 L = spin_momentum();
  const auto method = integrator(GetParam());
  run(*method, system, state, 0.01, 200);
  // The stiffness at rest in D would brake the turned body: it must not.
  EXPECT_LT((linear_momentum(system, state) - std::exp(-0.7 * 2) * P).norm(), 1e-11 * P.norm());
  EXPECT_LT((spin_momentum() - std::exp(-0.7 * 2) * L).norm(), 1e-10 * L.norm());
}

/// Where ksiere chooses its depth, round-off can tip the choice, and then the paths part by its tolerance.
std::unique_ptr<Integrator> same_work(const std::string& name) {
  return name == "ksiere" ? integrator(name, {{"depth", 3.0}}) : integrator(name);
}

TEST_P(FreeBody, looks_the_same_from_a_train) {
  const NodalSystem system(block(1e5));
  const Vec3 train(7, -3, 11);
  State here = thrown(system, Vec3::Zero(), Vec3(2, 3, 5)), there = thrown(system, train, Vec3(2, 3, 5));
  const auto one = same_work(GetParam()), other = same_work(GetParam());
  run(*one, system, here, 0.01, 50);
  run(*other, system, there, 0.01, 50);
  const VectorXd moved = (0.5 * train).replicate(here.q.size() / 3, 1);
  // Round-off relative to the train's 13 m/s and the 7 m that it went, and in siere the modes' own tolerance. The
  // Krylov vectors of ksiere are nearly dependent, which magnifies round-off a million times (measured 2e-8).
  EXPECT_LT((there.q - here.q - moved).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((there.v - here.v - train.replicate(here.q.size() / 3, 1)).cwiseAbs().maxCoeff(), 1e-7);
}

TEST_P(FreeBody, looks_the_same_when_turned) {
  const Eigen::AngleAxisd turn(1.1, Vec3(1, 2, 2) / 3);
  NodalParts parts = block(1e5), turned_parts = block(1e5);
  const NodalSystem system(std::move(parts));
  State here = thrown(system, Vec3(0.1, 0.2, 0), Vec3(2, 3, 5)), there = here;
  for (int i : all_points(system)) {
    there.q.segment<3>(3 * i) = turn * Vec3(here.q.segment<3>(3 * i));
    there.v.segment<3>(3 * i) = turn * Vec3(here.v.segment<3>(3 * i));
  }
  const auto one = same_work(GetParam()), other = same_work(GetParam());
  run(*one, system, here, 0.01, 50);
  run(*other, system, there, 0.01, 50);
  double apart = 0;
  for (int i : all_points(system))
    apart = std::max(apart, (turn * Vec3(here.q.segment<3>(3 * i)) - there.q.segment<3>(3 * i)).norm());
  EXPECT_LT(apart, 1e-8);  // siere's modes are converged to 1e-10 or so in the first step
}

/// Two blocks and a lone point, none of them in touch with another.
NodalParts two_blocks_and_a_point(double E) {
  const TetMesh one = make_box(Vec3(0.3, 0.2, 0.1), {2, 1, 1}, 6);
  TetMesh both;
  const int n = one.vertices(), m = one.tets();
  both.X.resize(2 * n, 3);
  both.X << one.X, one.X.rowwise() + Eigen::RowVector3d(1, 0, 0);
  both.T.resize(2 * m, 4);
  both.T << one.T, (one.T.array() + n).matrix();
  both.region = VectorXi::Zero(2 * m);
  NodalParts parts;
  parts.x0.resize(2 * n + 1, 3);
  parts.x0 << both.X, Eigen::RowVector3d(0, 3, 0);
  parts.vertex_mass.resize(2 * n + 1);
  parts.vertex_mass << testing::lumped_mass(both, 1000), 2;
  parts.energies.push_back(std::make_unique<ElasticEnergy>(
      both,
      std::vector<ElasticPart>{{law("stable-neo-hookean", {{"E", E}, {"nu", 0.4}}), testing::first_integers(2 * m)}}));
  return parts;
}

TEST_P(FreeBody, each_piece_has_a_frame_of_its_own) {
  const NodalSystem system(two_blocks_and_a_point(1e6));
  ASSERT_EQ(system.free_pieces().size(), 3u);
  State state = at_rest(system);
  const std::vector<Vec3> spins = {{0, 0, 15}, {3, -12, 0}, {1, 1, 1}};
  const std::vector<Vec3> velocities = {{0, 1, 0}, {0, -1, 0}, {1, 0, 0}};
  const auto momenta = [&] {
    std::vector<Vec3> all;
    for (const Points& points : system.free_pieces()) {
      const VectorXd p = system.mass().cwiseProduct(state.v);
      all.push_back(sum(points, p));
      all.push_back(moment(points, state.q, Vec3::Zero(), p));
    }
    return all;
  };
  for (size_t k = 0; k < 3; ++k) {
    const Points& points = system.free_pieces()[k];
    const Vec3 c = mean(points, system.mass(), state.q);
    for (int i : points)
      state.v.segment<3>(3 * i) = velocities[k] + spins[k].cross(Vec3(state.q.segment<3>(3 * i) - c));
  }
  const std::vector<Vec3> before = momenta();
  const auto method = integrator(GetParam());
  run(*method, system, state, 0.01, 300);
  const std::vector<Vec3> after = momenta();
  for (size_t k = 0; k < before.size(); ++k) EXPECT_LT((after[k] - before[k]).norm(), 1e-11 * (1 + before[k].norm()));
}

TEST_P(FreeBody, springs_on_a_line_spin_as_they_should) {
  NodalParts parts;
  parts.x0.resize(3, 3);
  parts.x0 << -1, 0, 0, 0, 0, 0, 1, 0, 0;
  parts.vertex_mass = VectorXd::Constant(3, 0.5);
  MatrixX2i springs(2, 2);
  springs << 0, 1, 1, 2;
  parts.energies.push_back(std::make_unique<SpringEnergy>(parts.x0, springs, VectorXd::Constant(2, 1e5)));
  const NodalSystem system(std::move(parts));
  State state = thrown(system, Vec3::Zero(), Vec3(0, 0, 20));
  const Vec3 L = angular_momentum(system, state);
  const double before = kinetic(system, state);
  const auto method = integrator(GetParam());
  run(*method, system, state, 0.001, 3000);
  EXPECT_LT((angular_momentum(system, state) - L).norm(), 1e-11 * L.norm());
  EXPECT_NEAR((kinetic(system, state) + system.potentials(0, state.q).total()) / before, 1, 0.01);
}

/// A block above a floor at y = 0, tilted and spinning.
NodalSystem block_over_floor(double E, bool gravity) {
  NodalParts parts = block(E);
  parts.x0.col(1).array() += 0.05;
  if (gravity) parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(0, -9.81, 0)));
  const ObstacleEntry& row = find_row(obstacle_shapes(), "shape", "half-space");
  const int n = static_cast<int>(parts.x0.rows());
  parts.energies.push_back(std::make_unique<ContactEnergy>(testing::first_integers(n), VectorXd::Constant(n, 1e-3), 1e7,
                                                           row.make(Options(row.options, {}, "floor"), "floor"),
                                                           stand_still()));
  return NodalSystem(std::move(parts));
}

TEST(FreeBodyContact, impulse_and_torque_are_those_that_the_floor_gave) {
  // The force that an si step feels is that of the contact at its end, linearised: f - K dq. On a flat floor the
  // penalty is linear as long as a vertex stays in it, so that the impulse is h times the true force at the end of the
  // step without its rotation's second order.
  const NodalSystem system = block_over_floor(1e6, true);
  State state = thrown(system, Vec3(0.2, -1, 0), Vec3(0.1, 0, 0.3));
  const auto method = integrator("si");
  const Points points = all_points(system);
  const double h = 1e-3;
  int touched = 0;
  for (int step = 0; step < 150; ++step) {
    const State before = state;
    ASSERT_EQ(method->step(system, state, h).status, StepStatus::ok);
    const VectorXd zero = VectorXd::Zero(system.dofs());
    Vec3 force(0, -9.81 * total_mass(points, system.mass()), 0), torque = Vec3::Zero();
    bool same = true, any = false;
    const Vec3 c = mean(points, system.mass(), before.q);
    for (int i : points) {
      const double y0 = before.q[3 * i + 1], y1 = state.q[3 * i + 1];
      same = same && (y0 < 0) == (y1 < 0);
      any = any || y0 < 0;
      if (y0 >= 0) continue;
      const Vec3 f(0, -1e7 * 1e-3 * y1, 0);
      force += f;
      torque += Vec3(before.q.segment<3>(3 * i) - c).cross(f);
    }
    if (!same || !any) continue;
    ++touched;
    const Vec3 dP = linear_momentum(system, state) - linear_momentum(system, before);
    const auto spin_momentum = [&](const State& s) {
      const Vec3 centre = mean(points, system.mass(), s.q);
      return Vec3(angular_momentum(system, s) - centre.cross(linear_momentum(system, s)));
    };
    const Vec3 dL = spin_momentum(state) - spin_momentum(before);
    EXPECT_LT((dP - h * force).norm(), 2e-3 * h * force.norm() + 1e-9);
    EXPECT_LT((dL - h * torque).norm(), 2e-3 * h * (torque.norm() + 0.1 * force.norm()));
  }
  EXPECT_GT(touched, 10);
}

TEST_P(FreeBody, bounces_without_gaining_energy) {
  for (const double E : {1e5, 1e7}) {
    const NodalSystem system = block_over_floor(E, true);
    State state = thrown(system, Vec3(0.5, 0, 0), Vec3(3, 1, 5));
    const auto energy = [&] { return kinetic(system, state) + system.potentials(state.t, state.q).total(); };
    const double start = energy();
    const auto method = integrator(GetParam());
    double highest = 0;
    for (int i = 0; i < 300; ++i) {
      ASSERT_EQ(method->step(system, state, 0.005).status, StepStatus::ok);
      highest = std::max(highest, energy());
    }
    EXPECT_LT(highest, 1.02 * start) << "E = " << E;
  }
}

TEST(FreeBodyEquals, siere_without_modes_and_ksiere_without_a_cut_are_si) {
  const NodalSystem system = block_over_floor(1e5, true);
  const State start = thrown(system, Vec3(0.5, 0, 0), Vec3(3, 1, 5));
  State si = start, siere = start, ksiere = start;
  const auto a = integrator("si", {{"psd", "clamp"}}), b = integrator("siere", {{"modes", 0.0}, {"psd", "clamp"}}),
             c = integrator("ksiere", {{"cut", 0.0}, {"depth", 2.0}, {"psd", "clamp"}});
  for (int i = 0; i < 40; ++i) {
    run(*a, system, si, 0.005, 1);
    run(*b, system, siere, 0.005, 1);
    run(*c, system, ksiere, 0.005, 1);
    ASSERT_LT((siere.q - si.q).norm(), 1e-13 * si.q.norm());
    ASSERT_LT((ksiere.q - si.q).norm(), 1e-9 * si.q.norm());
  }
}

TEST_P(FreeBody, same_bits_with_a_fresh_integrator_and_with_any_number_of_threads) {
  const auto end = [&](int threads, bool fresh) {
    set_thread_count(threads);
    const NodalSystem system = block_over_floor(1e5, true);
    State state = thrown(system, Vec3(0.5, -2, 0), Vec3(3, 1, 5));
    auto method = integrator(GetParam());
    for (int i = 0; i < 20; ++i) {
      if (fresh) method = integrator(GetParam());
      EXPECT_EQ(method->step(system, state, 0.005).status, StepStatus::ok);
    }
    set_thread_count(0);
    return state;
  };
  const State kept = end(1, false);
  for (const State& other : {end(1, true), end(3, false)}) EXPECT_TRUE(kept.q == other.q && kept.v == other.v);
}

TEST(FreePieces, supports_attachments_and_their_neighbours_are_not_free) {
  EXPECT_EQ(Bar(1, false).system().free_pieces().size(), 1u);
  EXPECT_TRUE(Bar(1, true).system().free_pieces().empty());
  Bar attached(1, false);
  attached.parts.energies.push_back(
      std::make_unique<AttachmentEnergy>(std::vector<int>{0}, attached.parts.x0, 10.0, stand_still()));
  EXPECT_TRUE(attached.system().free_pieces().empty());
}

TEST(RigidMotion, turns_a_symmetric_top_as_the_closed_form) {
  // A top with inertia (1, 1, 2): its axis precesses about L at |L| / 1 (Landau and Lifshitz, Mechanics, section 35).
  const Mat3 I = Vec3(1, 1, 2).asDiagonal();
  const Vec3 L(0.3, 0, 0.8);
  const double h = 0.7;
  const Vec3 axis = turned(I, I, L, L, h) * Vec3(0, 0, 1);
  const Vec3 expected = Eigen::AngleAxisd(h * L.norm(), L.normalized()) * Vec3(0, 0, 1);
  EXPECT_LT((axis - expected).norm(), 1e-9);
}

TEST(RigidMotion, inertia_that_is_singular_has_a_pseudo_inverse) {
  EXPECT_EQ(inverse_inertia(Mat3::Zero()), Mat3(Mat3::Zero()));
  const Mat3 rod = Vec3(0, 2, 2).asDiagonal();
  EXPECT_LT((inverse_inertia(rod) - Mat3(Vec3(0, 0.5, 0.5).asDiagonal())).norm(), 1e-15);
}

}  // namespace
}  // namespace brio

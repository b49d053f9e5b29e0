// Pieces that nothing holds: which they are, one frame for each, contact, and the motion of a frame itself.

#include "brio/core/parallel.hpp"
#include "brio/energy/spring_energy.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/free_bodies.hpp"
#include "support/integrators.hpp"
#include <cmath>
#include <numbers>

namespace brio {
namespace {

using testing::all_points;
using testing::angular_momentum;
using testing::at_rest;
using testing::Bar;
using testing::block;
using testing::integrator;
using testing::kinetic;
using testing::law;
using testing::linear_momentum;
using testing::run;
using testing::thrown;

class FreePiece : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, FreePiece, ::testing::Values("si", "siere", "ksiere"),
                         [](const auto& info) { return info.param; });

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

TEST_P(FreePiece, each_piece_has_a_frame_of_its_own) {
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

TEST_P(FreePiece, springs_on_a_line_spin_as_they_should) {
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

TEST(FreePieceContact, impulse_and_torque_are_those_that_the_floor_gave) {
  // The force that an si step feels is that of the contact at its end, linearized: f - K dq. On a flat floor the
  // penalty is linear as long as a vertex stays in it, so that the impulse is h times the true force at the end of the
  // step without its rotation's second order.
  const NodalSystem system = block_over_floor(1e6, true);
  State state = thrown(system, Vec3(0.2, -1, 0), Vec3(0.1, 0, 0.3));
  const auto method = integrator("si");
  method->prepare(system);
  const Points points = all_points(system);
  const double h = 1e-3;
  int touched = 0;
  for (int step = 0; step < 150; ++step) {
    const State before = state;
    ASSERT_EQ(method->step(state, h).status, StepStatus::ok);
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
      const Vec3 center = mean(points, system.mass(), s.q);
      return Vec3(angular_momentum(system, s) - center.cross(linear_momentum(system, s)));
    };
    const Vec3 dL = spin_momentum(state) - spin_momentum(before);
    EXPECT_LT((dP - h * force).norm(), 2e-3 * h * force.norm() + 1e-9);
    EXPECT_LT((dL - h * torque).norm(), 2e-3 * h * (torque.norm() + 0.1 * force.norm()));
  }
  EXPECT_GT(touched, 10);
}

TEST_P(FreePiece, bounces_without_gaining_energy) {
  for (const double E : {1e5, 1e7}) {
    const NodalSystem system = block_over_floor(E, true);
    State state = thrown(system, Vec3(0.5, 0, 0), Vec3(3, 1, 5));
    const auto energy = [&] { return kinetic(system, state) + system.potentials(state.t, state.q).total(); };
    const double start = energy();
    const auto method = integrator(GetParam());
    method->prepare(system);
    double highest = 0;
    for (int i = 0; i < 300; ++i) {
      ASSERT_EQ(method->step(state, 0.005).status, StepStatus::ok);
      highest = std::max(highest, energy());
    }
    EXPECT_LT(highest, 1.02 * start) << "E = " << E;
  }
}

TEST(FreePieceEquals, siere_without_modes_and_ksiere_without_a_cut_are_si) {
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

TEST_P(FreePiece, same_bits_with_a_fresh_integrator_and_with_any_number_of_threads) {
  const auto end = [&](int threads, bool fresh) {
    set_thread_count(threads);
    const NodalSystem system = block_over_floor(1e5, true);
    State state = thrown(system, Vec3(0.5, -2, 0), Vec3(3, 1, 5));
    auto method = integrator(GetParam());
    method->prepare(system);
    for (int i = 0; i < 20; ++i) {
      if (fresh) method = testing::prepared(system, integrator(GetParam()));
      EXPECT_EQ(method->step(state, 0.005).status, StepStatus::ok);
    }
    set_thread_count(0);
    return state;
  };
  const State kept = end(1, false);
  for (const State& other : {end(1, true), end(3, false)}) EXPECT_TRUE(kept.q == other.q && kept.v == other.v);
}

TEST(FreePieces, supports_attachments_and_their_neighbors_are_not_free) {
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

// Bones and tissue together: derivatives and solves of the coupled system, momentum and energy of their motion.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/diagnose/momentum.hpp"
#include "brio/system/bone_linearization.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/bones.hpp"

namespace brio {
namespace {

using testing::box_mass;
using testing::joint_of;

/// A bar of tissue from x = 0 to 0.4, each end of which a bone carries.
struct Limb {
  std::shared_ptr<const Skeleton> skeleton;
  std::shared_ptr<const BonePoints> points;
  std::unique_ptr<NodalSystem> system;

  explicit Limb(JointKind kind, const Vec3& gravity, double damping = 0) {
    testing::Bar bar(1, false);
    const int n = bar.mesh.vertices();
    std::vector<BoneGrip> grips(2);
    for (int v = 0; v < n; ++v) {
      if (bar.mesh.X(v, 0) < 1e-9) grips[0].vertices.push_back(v);
      if (bar.mesh.X(v, 0) > 0.4 - 1e-9) grips[1].vertices.push_back(v);
    }
    std::vector<Bone> bones = {
        {"left", "", joint_of(kind, {-0.2, 0.3, 0.05}), box_mass({0.1, 0.3, 0.2}, {-0.06, 0.05, 0.05})},
        {"right", "", joint_of(kind, {0.6, 0.3, 0.05}), box_mass({0.1, 0.2, 0.2}, {0.46, 0.05, 0.05})}};
    for (int b : {0, 1}) {
      grips[b].bone = b;
      grips[b].X = bar.mesh.X(grips[b].vertices, Eigen::all);
      grips[b].mass = bar.parts.vertex_mass(grips[b].vertices);
      bones[b].body = with_points(bones[b].body, grips[b].X, grips[b].mass);
      bones[b].joint.damping = damping;
    }
    skeleton = std::make_shared<const Skeleton>(bones);
    points = std::make_shared<const BonePoints>(skeleton, std::vector<BoneSurface>(2), n, grips);
    NodalParts parts = std::move(bar.parts);
    parts.x0.conservativeResize(n + points->count(), 3);
    parts.x0.bottomRows(points->count()) = points->rest_positions();
    parts.vertex_mass.conservativeResize(n + points->count());
    parts.vertex_mass.tail(points->count()) = points->mass().head(points->count());
    parts.energies.push_back(std::make_unique<JointEnergy>(points));
    parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, gravity));
    system = std::make_unique<NodalSystem>(std::move(parts));
  }

  State moving(const VectorXd& u) const {
    State state{0, system->rest(), VectorXd::Zero(system->dofs()), {}};
    VectorXd v = VectorXd::Zero(system->dofs());
    points->put_velocities(skeleton->pose(skeleton->rest()), u, v);
    state.v = system->free_part(Eigen::Map<const MatrixX3d>(v.data(), system->vertices(), 3));
    return state;
  }
  Momentum momentum_of(const State& s) const {
    MatrixX3d x, v;
    system->positions(0, s.q, x);
    system->velocities(0, s.v, v);
    return momentum(system->vertex_mass(), x, v);
  }
};

VectorXd some_vector(Index n, double by) {
  VectorXd v(n);
  for (Index i = 0; i < n; ++i) v[i] = std::sin(by * static_cast<double>(i + 1));
  return v;
}

TEST(Tissue, gradient_stiffness_and_solve_agree) {
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 0.2);
  BoneChart chart(*limb.system, limb.points);
  const State local = chart.enter(limb.moving(VectorXd::Zero(6)));
  const VectorXd z =
      local.q + 0.002 * (VectorXd(chart.dofs()) << some_vector(chart.tissue(), 1.3), VectorXd::Zero(6)).finished();
  ASSERT_GT(chart.tissue(), 0);
  BoneLinearization lin(chart);
  VectorXd g, up, down, image;
  lin.assemble(0, z, Psd::none, g);
  const VectorXd direction = some_vector(chart.dofs(), 0.7);
  const double d = 1e-5;
  EXPECT_NEAR(
      (chart.potentials(0, z + d * direction).total() - chart.potentials(0, z - d * direction).total()) / (2 * d),
      g.dot(direction), 1e-6 * std::fabs(g.dot(direction)));
  chart.gradient(0, z + d * direction, up);
  chart.gradient(0, z - d * direction, down);
  lin.multiply_stiffness(direction, image);
  EXPECT_LT(((up - down) / (2 * d) - image).norm(), 1e-6 * image.norm());

  const double m = 1, dd = 0.01, k = 1e-4;
  ASSERT_EQ(lin.factor(m, dd, k, 0), FactorStatus::ok);
  VectorXd damped, product = m * chart.mass().cwiseProduct(direction) + k * image;
  lin.multiply_damping(direction, damped);
  product += dd * damped;
  MatrixXd solution = product;
  lin.solve(solution);
  EXPECT_LT((solution.col(0) - direction).norm(), 1e-10 * direction.norm());
}

TEST(Tissue, two_free_bones_and_what_joins_them_keep_momentum_and_energy) {
  const Limb limb(JointKind::free, {0, 0, 0});
  VectorXd u = VectorXd::Zero(12);
  u.head<3>() << -1, 0.3, 0;  // apart, past each other, and spinning
  u.segment<3>(6) << 1, -0.2, 0.1;
  u[5] = 2;
  const State start = limb.moving(u);
  const Momentum before = limb.momentum_of(start);
  State state = start;
  BoneIntegrator integrator(*limb.system, limb.points, testing::tight_integrator("im"));
  EnergyBudget budget(*limb.system, state);
  const double total = budget.total();
  double stretched = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport report = integrator.step(*limb.system, state, 1e-3);
    ASSERT_EQ(report.status, StepStatus::ok) << report.reason;
    budget.book(state, report.dissipated);
    stretched = std::max(stretched, budget.potentials().elastic);
  }
  ASSERT_GT(stretched, 0.1 * total);  // the tissue did pull
  const Momentum after = limb.momentum_of(state);
  const double scale = limb.skeleton->mass() * 1.0;  // [kg m/s]: the bones' at 1 m/s
  EXPECT_LT((after.linear - before.linear).norm(), 1e-6 * scale);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-3 * before.angular.norm());
  EXPECT_NEAR(budget.total(), total, 5e-3 * total);
}

TEST(Tissue, rk4_and_im_agree_on_a_swinging_limb) {
  // Two bones that hang from ball joints, joined by tissue: independent methods, one with the coupled solve and one
  // without any.
  const Limb limb(JointKind::spherical, {0, -9.81, 0}, 0.05);
  const auto run = [&](const std::string& method, double h) {
    State state = limb.moving((VectorXd(6) << 0.5, 0, 2, 0, 0.3, 1).finished());
    BoneIntegrator integrator(*limb.system, limb.points, testing::tight_integrator(method));
    for (int i = 0; i < std::lround(0.1 / h); ++i)
      EXPECT_EQ(integrator.step(*limb.system, state, h).status, StepStatus::ok);
    return state.q;
  };
  const VectorXd reference = run("rk4", 1e-4);
  const double moved = (reference - limb.system->rest()).norm();
  const double coarse = (run("im", 2e-3) - reference).norm(), fine = (run("im", 1e-3) - reference).norm();
  EXPECT_LT(fine, 0.01 * moved);
  EXPECT_GT(coarse / fine, 3);  // second order would be 4
  const double si = (run("si", 1e-3) - reference).norm();
  EXPECT_LT(si, 0.2 * moved);
}

}  // namespace
}  // namespace brio

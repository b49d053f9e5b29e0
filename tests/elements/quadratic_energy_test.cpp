// The energy of quadratic tetrahedra: derivatives against differences for every law, on curved elements; against linear
// elements where both can represent the motion; the patch test of both orders.

#include "brio/energy/quadratic_energy.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/optimize/static_solve.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "material/material_samples.hpp"
#include "support/bodies.hpp"

namespace brio {
namespace {

using testing::first_integers;
using testing::law;
using testing::shaken;
using testing::stacked;

/// Five cells of five, moved out of their regular places; of order 2 curved, too.
TetMesh irregular_mesh(int order, double curved) {
  TetMesh mesh = make_box(Vec3(1, 1, 1), {3, 2, 2}, 5);
  mesh.X = shaken(mesh.X, 0.05, 3);
  mesh.region = VectorXi::Zero(mesh.tets());
  mesh.fiber = MatrixX3d::Constant(mesh.tets(), 3, 1 / std::sqrt(3.0));
  const int corners = mesh.vertices();
  if (order == 2) make_quadratic(mesh);
  const MatrixX3d moved = shaken(mesh.X, curved, 4);
  mesh.X.bottomRows(mesh.vertices() - corners) = moved.bottomRows(mesh.vertices() - corners);
  return mesh;
}

/// An energy with its second derivatives on a layout that has an order of its own and one vertex that does not move.
struct Laid {
  std::unique_ptr<SolidEnergy> energy;
  int vertices;
  std::vector<int> dof;
  std::shared_ptr<BlockPattern> pattern;
  static constexpr int kHeld = 4;

  Laid(const TetMesh& mesh, std::vector<ElasticPart> parts)
      : energy(make_solid_energy(mesh, std::move(parts))), vertices(mesh.vertices()), dof(vertices) {
    std::vector<std::pair<int, int>> pairs;
    energy->add_couplings(pairs);
    int stride = 7;
    while (std::gcd(stride, vertices) > 1) ++stride;
    for (int v = 0; v < vertices; ++v) dof[v] = v == kHeld ? -1 : (v * stride) % vertices;
    for (int v = 0; v < vertices; ++v)
      if (dof[v] > (kHeld * stride) % vertices) --dof[v];
    std::erase_if(pairs, [&](const auto& p) { return p.first == kHeld || p.second == kHeld; });
    for (auto& [i, j] : pairs) i = dof[i], j = dof[j];
    pattern = std::make_shared<BlockPattern>(vertices - 1, pairs);
    energy->attach({dof, pattern.get()});
  }
  double value(const VectorXd& x) const {
    double e = 0;
    energy->evaluate(0, x, {.value = &e});
    return e;
  }
  VectorXd gradient(const VectorXd& x) const {
    VectorXd g = VectorXd::Zero(x.size());
    energy->evaluate(0, x, {.gradient = &g});
    return g;
  }
  BlockMatrix hessian(const VectorXd& x, Psd psd) const {
    BlockMatrix K(pattern);
    K.set_zero();
    energy->evaluate(0, x, {.hessian = &K, .psd = psd});
    return K;
  }
  /// The free coordinates in the order of the layout.
  VectorXd free(const VectorXd& x) const {
    VectorXd y(3 * (vertices - 1));
    for (int v = 0; v < vertices; ++v)
      if (dof[v] >= 0) y.segment<3>(3 * dof[v]) = x.segment<3>(3 * v);
    return y;
  }
};

std::vector<const MaterialEntry*> all_laws() {
  std::vector<const MaterialEntry*> rows;
  for (const MaterialEntry& row : isotropic_laws()) rows.push_back(&row);
  for (const MaterialEntry& row : fiber_laws()) rows.push_back(&row);
  return rows;
}

TEST(QuadraticEnergy, derivatives_of_every_law_against_differences) {
  const TetMesh mesh = irregular_mesh(2, 0.03);
  const VectorXd x = stacked(shaken(mesh.X * Eigen::DiagonalMatrix<double, 3>(1.15, 1.1, 1.2), 0.02));
  constexpr double step = 1e-6;
  for (const MaterialEntry* row : all_laws()) {
    SCOPED_TRACE(row->name);
    const Laid laid(mesh, {{make_material(*row, sample_options(*row)), first_integers(mesh.tets())}});
    const VectorXd g = laid.gradient(x);
    ASSERT_GT(g.norm(), 0);
    for (int seed = 1; seed <= 3; ++seed) {
      VectorXd d = stacked(shaken(MatrixX3d::Zero(mesh.vertices(), 3), 1, seed));
      d.segment<3>(3 * Laid::kHeld).setZero();
      EXPECT_NEAR((laid.value(x + step * d) - laid.value(x - step * d)) / (2 * step), g.dot(d), 1e-6 * g.norm());
      const VectorXd slope = (laid.gradient(x + step * d) - laid.gradient(x - step * d)) / (2 * step);
      VectorXd Kd;
      laid.hessian(x, Psd::none).multiply(laid.free(d), Kd);
      EXPECT_LT((Kd - laid.free(slope)).norm(), 1e-6 * slope.norm());
    }
    EXPECT_LT(Eigen::Map<const MatrixX3d>(g.data(), mesh.vertices(), 3).colwise().sum().norm(), 1e-12 * g.norm());
  }
}

/// Block by block, on two parts with a factor.
TEST(QuadraticEnergy, every_block_of_the_stiffness_against_differences) {
  TetMesh mesh = make_box(Vec3(1, 1, 1), {1, 1, 1}, 5);
  mesh.X = shaken(mesh.X, 0.1);
  make_quadratic(mesh);
  mesh.X = shaken(mesh.X, 0.02);
  const Laid laid(mesh, {{law("stable-neo-hookean", {{"E", 100.0}, {"nu", 0.3}}), {0, 2, 3}},
                         {law("corotated", {{"E", 300.0}, {"nu", 0.4}}), {1, 4}, {0.5, 2.0}}});
  const VectorXd x = stacked(shaken(mesh.X, 0.1, 5));
  const int n = 3 * (laid.vertices - 1);
  const BlockMatrix K = laid.hessian(x, Psd::none);
  constexpr double step = 1e-6;
  double largest = 0, norm = 0;
  for (int v = 0; v < laid.vertices; ++v)
    for (int c = 0; c < 3 && laid.dof[v] >= 0; ++c) {
      const VectorXd d = step * VectorXd::Unit(x.size(), 3 * v + c);
      const VectorXd slope = laid.free((laid.gradient(x + d) - laid.gradient(x - d)) / (2 * step));
      VectorXd column;
      K.multiply(VectorXd::Unit(n, 3 * laid.dof[v] + c), column);
      largest = std::max(largest, (column - slope).norm());
      norm = std::max(norm, column.norm());
    }
  EXPECT_LT(largest, 1e-6 * norm);

  const BlockMatrix clamped = laid.hessian(x, Psd::clamp);
  MatrixXd dense(n, n);
  for (int j = 0; j < n; ++j) {
    VectorXd column;
    clamped.multiply(VectorXd::Unit(n, j), column);
    dense.col(j) = column;
  }
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatrixXd>(dense).eigenvalues().minCoeff(), -1e-10 * dense.norm());
}

TEST(QuadraticEnergy, of_an_affine_motion_is_that_of_linear_elements) {
  const TetMesh linear = irregular_mesh(1, 0), quadratic = irregular_mesh(2, 0);
  const auto material = law("stable-neo-hookean", {{"E", 100.0}, {"nu", 0.4}});
  Mat3 F;
  F << 1.2, 0.1, -0.2, 0.05, 0.9, 0.1, 0, -0.1, 1.1;
  const auto energy = [&](const TetMesh& mesh) {
    const auto solid = make_solid_energy(mesh, {{material, first_integers(mesh.tets())}});
    const VectorXd x = stacked(mesh.X * F.transpose());
    double value = 0;
    solid->evaluate(0, x, {.value = &value});
    const Determinants found = solid->determinants(x);
    EXPECT_NEAR(found.smallest, F.determinant(), 1e-13);
    EXPECT_EQ(found.inverted, 0);
    return value;
  };
  EXPECT_NEAR(energy(linear), energy(quadratic), 1e-13 * energy(linear));
}

TEST(QuadraticEnergy, of_many_patches_is_the_sum_over_its_elements) {
  TetMesh mesh = make_box(Vec3(1, 1, 1), {6, 6, 6}, 5);  // 135 batches in 68 patches
  make_quadratic(mesh);
  const auto material = law("stable-neo-hookean", {{"E", 100.0}, {"nu", 0.3}});
  const VectorXd x = stacked(shaken(mesh.X, 0.01));
  VectorXd gradient = VectorXd::Zero(x.size()), expected = gradient;
  double value = 0, sum = 0;
  make_solid_energy(mesh, {{material, first_integers(mesh.tets())}})
      ->evaluate(0, x, {.value = &value, .gradient = &gradient});
  for (int e = 0; e < mesh.tets(); ++e)
    QuadraticEnergy(mesh, {{material, {e}}}).evaluate(0, x, {.value = &sum, .gradient = &expected});
  EXPECT_NEAR(value, sum, 1e-12 * sum);
  EXPECT_LT((gradient - expected).norm(), 1e-12 * expected.norm());
}

/// Only rigid motions cost nothing.
TEST(QuadraticEnergy, stiffness_of_one_element_has_rank_24) {
  TetMesh mesh = make_box(Vec3(1, 1, 1), {1, 1, 1}, 5);
  make_quadratic(mesh);
  TetMesh one = mesh;
  one.T = mesh.T.topRows(1), one.mid = mesh.mid.topRows(1), one.region.setZero(1), one.fiber.setZero(1, 3);
  const auto energy = make_solid_energy(one, {{law("stable-neo-hookean", {{"E", 1.0}, {"nu", 0.3}}), {0}}});
  std::vector<std::pair<int, int>> pairs;
  energy->add_couplings(pairs);
  const int n = 3 * one.vertices();
  const auto pattern = std::make_shared<BlockPattern>(one.vertices(), pairs);
  energy->attach({first_integers(one.vertices()), pattern.get()});
  BlockMatrix K(pattern);
  K.set_zero();
  energy->evaluate(0, stacked(one.X), {.hessian = &K});
  MatrixXd dense(n, n);
  for (int j = 0; j < n; ++j) {
    VectorXd column;
    K.multiply(VectorXd::Unit(n, j), column);
    dense.col(j) = column;
  }
  const VectorXd lambda = Eigen::SelfAdjointEigenSolver<MatrixXd>(dense).eigenvalues();
  EXPECT_EQ((lambda.array() > 1e-6 * lambda.maxCoeff()).count(), 24);
}

/// Where the surface is moved as a linear function of place, the inside follows exactly.
TEST(PatchTest, both_orders_follow_an_affine_motion_of_the_surface) {
  Mat3 F;
  F << 1.1, 0.05, -0.1, 0.02, 0.95, 0.1, 0, -0.08, 1.05;
  for (const int order : {1, 2}) {
    TetMesh mesh = make_box(Vec3(1, 1, 1), {3, 3, 3}, 6);
    mesh.X = shaken(mesh.X, 0.06, 2);
    if (order == 2) make_quadratic(mesh);
    const MatrixX3d goal = mesh.X * F.transpose();
    NodalParts parts;
    parts.x0 = goal;
    parts.vertex_mass = lumped_mass(mesh, 1);
    parts.energies.push_back(make_solid_energy(
        mesh, {{law("stable-neo-hookean", {{"E", 1.0}, {"nu", 0.45}}), first_integers(mesh.tets())}}));
    parts.supports.push_back({surface_vertices(boundary_triangles(mesh)), stand_still()});
    const NodalSystem system(std::move(parts));
    VectorXd q = system.free_part(shaken(goal, 0.02));
    const StaticReport report = solve_static(system, 0, system.free_part(mesh.X), {.tolerance = 1e-15}, {}, q);
    MatrixX3d x;
    system.positions(0, q, x);
    EXPECT_LT((x - goal).cwiseAbs().maxCoeff(), 1e-12) << "order " << order << ", residual " << report.residual;
  }
}

}  // namespace
}  // namespace brio

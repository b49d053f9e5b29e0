// Problems with known answers: Cook's membrane, uniaxial stress at finite strain under several laws, a bar that does not
// bend sideways, and where sequences of meshes lead.

#include "brio/experiment/converge/mesh_convergence.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/output/scene_tables.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "elements/beam.hpp"
#include "material/material_samples.hpp"

namespace brio {
namespace {

using testing::first_integers;
using testing::law;

/// Work-equivalent shares of a constant traction on the faces whose vertices all satisfy `on` [m^2]: a third of a
/// linear face at each corner; of a quadratic one a third at each vertex on an edge, and nothing at its corners.
VectorXd traction_shares(const TetMesh& mesh, const std::function<bool(const Vec3&)>& on) {
  VectorXd share = VectorXd::Zero(mesh.vertices());
  for (const FaceId face : find_faces(mesh).single) {
    const std::array<int, 3> v = vertices_of(mesh, face);
    if (!on(mesh.X.row(v[0])) || !on(mesh.X.row(v[1])) || !on(mesh.X.row(v[2]))) continue;
    const Vec3 a = mesh.X.row(v[0]), b = mesh.X.row(v[1]), c = mesh.X.row(v[2]);
    const double third = (b - a).cross(c - a).norm() / 6;
    std::array<int, 3> at = v;
    if (mesh.order() == 2) {
      const MatrixX3i split = split_faces(mesh, {face});  // its last triangle is that between the edges
      at = {split(3, 0), split(3, 1), split(3, 2)};
    }
    for (int i : at) share[i] += third;
  }
  return share;
}

/// A dead load is the weight of something light in a field of gravity.
void add_traction(NodalParts& parts, const VectorXd& share, const Vec3& traction) {
  parts.energies.push_back(std::make_unique<GravityEnergy>(share, traction));
}

MatrixX3d solved(const NodalSystem& system) {
  VectorXd q = system.free_part(system.rest_positions());
  const VectorXd rest = q;
  EXPECT_EQ(solve_static(system, 0, rest, {.tolerance = 1e-7}, {}, q).status, StaticStatus::converged);
  MatrixX3d x;
  system.positions(0, q, x);
  return x;
}

/// Cook 1974: a tapered panel in plane stress, held at one side, sheared at the other; E = 1, nu = 1/3, a load of 1 on a
/// panel of thickness 1 lifts the middle of the loaded side by 23.96 (the limit of fine meshes).
TEST(Oracles, cooks_membrane) {
  for (const int order : {1, 2}) {
    TetMesh mesh = make_box(Vec3(1, 1, 1), {8, 8, 1}, 5);
    for (int v = 0; v < mesh.vertices(); ++v) {
      const double s = mesh.X(v, 0), t = mesh.X(v, 1);
      mesh.X(v, 0) = 48 * s;
      mesh.X(v, 1) = 44 * s + t * (44 - 28 * s);
    }
    if (order == 2) make_quadratic(mesh);
    const double load = 1e-4, E = 1;  // so small that the answer is linear in it
    NodalParts parts;
    parts.x0 = mesh.X;
    parts.vertex_mass = lumped_mass(mesh, 1);
    parts.energies.push_back(
        make_solid_energy(mesh, {{law("stvk", {{"E", E}, {"nu", 1.0 / 3}}), first_integers(mesh.tets())}}));
    const VectorXd share = traction_shares(mesh, [](const Vec3& x) { return x[0] > 48 - 1e-9; });
    EXPECT_NEAR(share.sum(), 16, 1e-12);
    add_traction(parts, share, Vec3(0, load / 16, 0));
    Support wall{{}, stand_still()};
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 0) < 1e-9) wall.vertices.push_back(v);
    parts.supports.push_back(std::move(wall));
    const MatrixX3d x = solved(NodalSystem(std::move(parts)));
    double lift = 0;
    int count = 0;
    for (int v = 0; v < mesh.vertices(); ++v)
      if ((mesh.X.row(v).head<2>() - Eigen::RowVector2d(48, 52)).norm() < 1e-6) lift += x(v, 1) - mesh.X(v, 1), ++count;
    ASSERT_GT(count, 0);
    const double ratio = lift / count / load / 23.96;
    RecordProperty(fmt::format("order_{}", order), fmt::format("{}", ratio));
    if (order == 2) {
      EXPECT_NEAR(ratio, 1, 0.015);
    } else {
      EXPECT_LT(ratio, 0.97);
    }
  }
}

/// Stretches under a nominal traction along x alone: dpsi/ds_1 = T, dpsi/ds_2 = 0, from the law itself.
Vec3 uniaxial_stretches(const Material& material, double traction) {
  Eigen::Vector2d s(1, 1);
  for (int i = 0; i < 100; ++i) {
    const Answer a = [&] {
      ElementBatch batch{};
      for (int l = 0; l < kLanes; ++l)
        set_lane(batch, l, Vec3(s[0], s[1], s[1]).asDiagonal(), Vec3::Zero(), Mat3::Identity());
      return answer(material, batch, 0, Psd::none);
    }();
    const Eigen::Vector2d residual(a.P(0, 0) - traction, a.P(1, 1));
    Eigen::Matrix2d J;
    J << a.H(0, 0), 2 * a.H(0, 4), a.H(4, 0), a.H(4, 4) + a.H(4, 8);
    s -= J.inverse() * residual;
  }
  return {s[0], s[1], s[1]};
}

TEST(Oracles, uniaxial_stress_at_finite_strain) {
  for (const MaterialEntry& row : isotropic_laws())
    for (const int order : {1, 2}) {
      SCOPED_TRACE(fmt::format("{}, order {}", row.name, order));
      const std::shared_ptr<const Material> material = make_material(row, sample_options(row));
      TetMesh mesh = make_box(Vec3(1, 1, 1), {2, 2, 2}, 5, Vec3(-0.5, -0.5, -0.5));
      if (order == 2) make_quadratic(mesh);
      const double traction = 0.3 * kYoung;
      NodalParts parts;
      parts.x0 = mesh.X;
      parts.vertex_mass = lumped_mass(mesh, 1);
      parts.energies.push_back(make_solid_energy(mesh, {{material, first_integers(mesh.tets())}}));
      for (const double side : {-1.0, 1.0})
        add_traction(parts, traction_shares(mesh, [&](const Vec3& x) { return side * x[0] > 0.5 - 1e-9; }),
                     Vec3(side * traction, 0, 0));
      // The middle stays: a spring there resists nothing that a homogeneous stretch does.
      std::vector<int> middle;
      for (int v = 0; v < mesh.vertices(); ++v)
        if (mesh.X.row(v).norm() < 1e-9) middle.push_back(v);
      ASSERT_EQ(middle.size(), 1u);
      parts.supports.push_back({middle, stand_still()});
      const MatrixX3d x = solved(NodalSystem(std::move(parts)));
      const Vec3 s = uniaxial_stretches(*material, traction);
      ASSERT_GT(s[0], 1.1);
      // A rigid rotation about the middle costs nothing; the load along x keeps x, and distances from the axis are what
      // the closed form tells.
      for (int v = 0; v < mesh.vertices(); ++v) {
        EXPECT_NEAR(x(v, 0), s[0] * mesh.X(v, 0), 1e-5) << v;
        EXPECT_NEAR(x.row(v).tail<2>().norm(), s[1] * mesh.X.row(v).tail<2>().norm(), 1e-5) << v;
      }
    }
}

/// Cells of five are their own mirror image, so that a bar under vertical weight stays in its plane; cells of six are not.
TEST(Oracles, bars_of_five_do_not_bend_sideways) {
  testing::Beam beam;
  beam.length = 0.4, beam.along = 16, beam.across = 4, beam.order = 1, beam.nu = 0.45;
  const Vec3 five = beam.tip();
  EXPECT_LT(std::fabs(five[2]), 1e-6 * std::fabs(five[1]));
  beam.tets_per_cell = 6;
  const Vec3 six = beam.tip();
  EXPECT_GT(std::fabs(six[2]), 0.1 * std::fabs(six[1]));
}

TEST(MeshConvergence, extrapolates_a_geometric_sequence) {
  MeshCurve curve;
  for (int level = 0; level < 3; ++level)
    curve.levels.push_back({level, 0, 0, 5 - 2 * std::pow(0.25, level), 0});
  extrapolate(curve);
  ASSERT_TRUE(curve.limit);
  EXPECT_NEAR(*curve.limit, 5, 1e-12);
  EXPECT_NEAR(*curve.rate, 2, 1e-12);
  curve.levels.back().value = 3;  // does not settle
  extrapolate(curve);
  EXPECT_FALSE(curve.limit);
  for (int level = 0; level < 3; ++level) curve.levels[level].value = 5 - 2 * std::pow(0.7, level);
  extrapolate(curve);  // more is left than was seen
  EXPECT_FALSE(curve.limit);
  EXPECT_NEAR(*curve.rate, -std::log2(0.7), 1e-12);
}

/// Both orders lead to the same deflection, the quadratic ones from the first mesh on.
TEST(MeshConvergence, both_orders_lead_to_the_same_tip) {
  const Scene scene = load_scene(std::filesystem::path(BRIO_SOURCE_DIR) / "scenes/bar-1k.json", scene_tables(),
                                 {"mesh.cells_across=1", "mesh.tets_per_cell=\"5\"", "gravity=[0,-0.1,0]", "materials[0].nu=0.3"});
  const auto curves = study_meshes(scene, find_row(mesh_quantities(), "quantity", "tip"), 3, 20000, {});
  ASSERT_EQ(curves.size(), 2u);
  ASSERT_TRUE(curves[1].limit);
  const double limit = *curves[1].limit;
  EXPECT_NEAR(curves[1].levels[1].value / limit, 1, 0.03);
  EXPECT_LT(curves[0].levels[1].value / limit, 0.9);
  EXPECT_LT(curves[0].levels[0].value, curves[0].levels[2].value);
}

}  // namespace
}  // namespace brio

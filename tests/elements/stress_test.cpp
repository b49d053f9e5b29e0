// Stress of elements of either order: against closed forms of homogeneous deformations, and of a thick sphere under
// pressure.

#include "brio/diagnose/stress.hpp"
#include "brio/energy/pressure_energy.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/optimize/static_solve.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio {
namespace {

using testing::first_integers;
using testing::law;
using testing::shaken;
using testing::stacked;

TEST(Stress, of_a_homogeneous_deformation_is_that_of_the_law_everywhere) {
  // Neo-Hookean: s = mu / J (F F^T - I) + lambda ln J / J I.
  const double E = 1000, nu = 0.3, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  Mat3 F;
  F << 1.3, 0.2, 0, 0.1, 0.9, -0.1, 0, 0.3, 1.1;
  const double J = F.determinant();
  const Mat3 s = mu / J * (F * F.transpose() - Mat3::Identity()) + lambda * std::log(J) / J * Mat3::Identity();
  const Mat3 deviator = s - s.trace() / 3 * Mat3::Identity();
  const Vec3 stretches = Eigen::JacobiSVD<Mat3>(F).singularValues();
  for (const int order : {1, 2}) {
    TetMesh mesh = make_box(Vec3(1, 1, 1), {2, 2, 2}, 5);
    mesh.X = shaken(mesh.X, 0.05);
    if (order == 2) make_quadratic(mesh);
    std::vector<ElasticPart> parts(2);
    for (int e = 0; e < mesh.tets(); ++e) parts[e % 2].tets.push_back(e);
    // Half the modulus with a factor of two is the same material.
    parts[0].material = law("neo-hookean", {{"E", E}, {"nu", nu}});
    parts[1].material = law("neo-hookean", {{"E", E / 2}, {"nu", nu}});
    parts[1].factor.assign(parts[1].tets.size(), 2.0);
    const BodyStress found = measure_stress(mesh, parts, mesh.X * F.transpose());
    for (const StressValues* values : {&found.element, &found.vertex})
      for (Index i = 0; i < values->von_mises.size(); ++i) {
        const auto six = values->cauchy.row(i);
        EXPECT_NEAR(six[0], s(0, 0), 1e-9 * E);
        EXPECT_NEAR(six[1], s(1, 1), 1e-9 * E);
        EXPECT_NEAR(six[2], s(2, 2), 1e-9 * E);
        EXPECT_NEAR(six[3], s(0, 1), 1e-9 * E);
        EXPECT_NEAR(six[4], s(1, 2), 1e-9 * E);
        EXPECT_NEAR(six[5], s(0, 2), 1e-9 * E);
        EXPECT_NEAR(values->von_mises[i], std::sqrt(1.5) * deviator.norm(), 1e-9 * E);
        EXPECT_LT((values->stretches.row(i).transpose() - stretches).norm(), 1e-10);
      }
  }
}

/// The eighth of a thick sphere, or all of it: a box mapped onto a shell.
TetMesh thick_sphere(double inner, double outer, int cells, int order) {
  // Six faces of a cube, each a grid over two angles and the radius.
  std::map<std::array<long, 3>, int> known;
  std::vector<Vec3> points;
  std::vector<std::array<int, 4>> tets;
  const auto vertex = [&](const Vec3& x) {
    const std::array<long, 3> key = {std::lround(1e6 * x[0]), std::lround(1e6 * x[1]), std::lround(1e6 * x[2])};
    const auto [at, fresh] = known.emplace(key, static_cast<int>(points.size()));
    if (fresh) points.push_back(x);
    return at->second;
  };
  const TetMesh box = make_box(Vec3(2, 2, 1), {cells, cells, std::max(1, cells / 2)}, 6, Vec3(-1, -1, 0));
  for (int face = 0; face < 6; ++face) {
    std::vector<int> number;
    for (int v = 0; v < box.vertices(); ++v) {
      const double u = std::tan(box.X(v, 0) * std::numbers::pi / 4), w = std::tan(box.X(v, 1) * std::numbers::pi / 4);
      Vec3 direction = Vec3::Zero();
      direction[face % 3] = face < 3 ? 1 : -1;
      direction[(face + 1) % 3] = u;
      direction[(face + 2) % 3] = w;
      number.push_back(vertex(direction.normalized() * (inner + (outer - inner) * box.X(v, 2))));
    }
    for (int t = 0; t < box.tets(); ++t)
      tets.push_back({number[box.T(t, 0)], number[box.T(t, 1)], number[box.T(t, 2)], number[box.T(t, 3)]});
  }
  TetMesh mesh;
  mesh.X.resize(static_cast<Index>(points.size()), 3);
  for (size_t i = 0; i < points.size(); ++i) mesh.X.row(static_cast<Index>(i)) = points[i].transpose();
  mesh.T.resize(static_cast<Index>(tets.size()), 4);
  for (size_t t = 0; t < tets.size(); ++t)
    for (int c = 0; c < 4; ++c) mesh.T(static_cast<Index>(t), c) = tets[t][c];
  for (int t = 0; t < mesh.tets(); ++t)
    if (tet_volume(mesh, t) < 0) turn_round(mesh, t);
  mesh.region = VectorXi::Zero(mesh.tets());
  mesh.fiber = MatrixX3d::Zero(mesh.tets(), 3);
  const int corners = mesh.vertices();
  if (order == 2) make_quadratic(mesh);
  // The new vertices go onto their spheres, which curves the elements.
  for (int t = 0; order == 2 && t < mesh.tets(); ++t)
    for (int e = 0; e < 6; ++e) {
      const double a = mesh.X.row(mesh.T(t, kEdgeCorners[e][0])).norm(), b = mesh.X.row(mesh.T(t, kEdgeCorners[e][1])).norm();
      auto x = mesh.X.row(mesh.mid(t, e));
      if (mesh.mid(t, e) >= corners) x *= 0.5 * (a + b) / x.norm();
    }
  return mesh;
}

std::vector<int> at_radius(const TetMesh& mesh, double radius) {
  std::vector<int> found;
  for (int v = 0; v < mesh.vertices(); ++v)
    if (std::fabs(mesh.X.row(v).norm() - radius) < 1e-6) found.push_back(v);
  return found;
}

/// A thick sphere under pressure, and what is measured of it.
struct Sphere {
  static constexpr double a = 1, b = 2, E = 1e6, nu = 0.3, p = 1e3;
  double moved[2] = {0, 0};           // mean displacement of the inner and the outer wall, over Lame's
  double wall_stress = 0, whole = 0;  // von Mises' stress on the inner wall, and its mean over the volume, over Lame's

  Sphere(int cells, int order) {
    const TetMesh mesh = thick_sphere(a, b, cells, order);
    NodalParts parts;
    parts.x0 = mesh.X;
    parts.vertex_mass = lumped_mass(mesh, 1000);
    const std::vector<ElasticPart> elastic = {
        {law("stable-neo-hookean", {{"E", E}, {"nu", nu}}), first_integers(mesh.tets())}};
    parts.energies.push_back(make_solid_energy(mesh, elastic));
    parts.energies.push_back(std::make_unique<PressureEnergy>(
        triangles_within(boundary_triangles(mesh), at_radius(mesh, a)), p, Vec3::Zero()));
    // Held against rigid motion by springs too weak to matter.
    parts.energies.push_back(
        std::make_unique<AttachmentEnergy>(first_integers(mesh.vertices()), mesh.X, 1e-6 * E, stand_still()));
    const NodalSystem system(std::move(parts));
    VectorXd q = system.free_part(mesh.X);
    const VectorXd rest = q;
    const StaticReport report = solve_static(system, 0, rest, {.tolerance = 1e-6}, {}, q);
    EXPECT_EQ(report.status, StaticStatus::converged);
    MatrixX3d x;
    system.positions(0, q, x);
    const BodyStress stress = measure_stress(mesh, elastic, x);

    // u = p a^3 / (b^3 - a^3) ((1 - 2 nu) r + (1 + nu) b^3 / (2 r^2)) / E
    const double a3 = a * a * a, b3 = b * b * b;
    for (const int i : {0, 1}) {
      const double r = i == 0 ? a : b, lame = p * a3 / (b3 - a3) * ((1 - 2 * nu) * r + (1 + nu) * b3 / (2 * r * r)) / E;
      const std::vector<int> shell = at_radius(mesh, r);
      for (int v : shell) moved[i] += (x.row(v).norm() - r) / lame / static_cast<double>(shell.size());
    }
    // On the inner wall the stress along the wall is p (a^3 + b^3 / 2) / (b^3 - a^3), across it -p: von Mises' is their
    // difference, and falls with (a / r)^3.
    const double lame = p * (a3 + b3 / 2) / (b3 - a3) + p, lame_whole = lame * 3 * std::log(b / a) / (b3 - a3);
    const std::vector<int> shell = at_radius(mesh, a);
    for (int v : shell) wall_stress += stress.vertex.von_mises[v] / lame / static_cast<double>(shell.size());
    double volume = 0;
    for (int e = 0; e < mesh.tets(); ++e) {
      whole += element_volume(mesh, e) * stress.element.von_mises[e] / lame_whole;
      volume += element_volume(mesh, e);
    }
    whole /= volume;
  }
};

/// The stress of quadratic elements is linear in each, and two across a wall in which it falls to an eighth are coarse.
/// But it falls towards Lame's faster than the elements' size h, and with the terms of h^2 and h^3, in which an error of
/// this order can be written down, taken out of three meshes, it is Lame's.
TEST(Stress, thick_sphere_under_pressure_against_lame) {
  const Sphere coarse(2, 2), middle(4, 2), fine(6, 2);
  EXPECT_NEAR(middle.moved[0], 1, 0.02);
  EXPECT_NEAR(middle.moved[1], 1, 0.02);
  const auto check = [&](const char* what, double Sphere::*member, double tolerance) {
    const Vec3 found(coarse.*member, middle.*member, fine.*member), off = (found.array() - 1).abs();
    RecordProperty(what, fmt::format("{} {} {}", found[0], found[1], found[2]));
    EXPECT_LT(off[1], off[0] / 2) << what;
    EXPECT_LT(off[2], off[1] * 2 / 3) << what;
    Mat3 terms;
    for (int i = 0; i < 3; ++i) {
      const double h = 1.0 / (i + 1);
      terms.row(i) << 1, h * h, h * h * h;
    }
    EXPECT_NEAR((terms.inverse() * found)[0], 1, tolerance) << what;
  };
  check("wall", &Sphere::wall_stress, 0.02);
  check("whole", &Sphere::whole, 0.005);
  const Sphere linear(4, 1);  // too stiff on so coarse a mesh
  EXPECT_LT(linear.moved[0], 0.9);
  EXPECT_LT(linear.moved[1], 0.9);
}

TEST(Pressure, derivatives_against_differences_and_no_net_force) {
  TetMesh mesh = make_box(Vec3(1, 1, 1), {2, 2, 2}, 5);
  PressureEnergy energy(boundary_triangles(mesh), 3.0, Vec3(0.5, 0.5, 0.5));
  const int n = mesh.vertices();
  std::vector<std::pair<int, int>> pairs;
  energy.add_couplings(pairs);
  std::vector<int> dof(n);
  int stride = 7;
  while (std::gcd(stride, n) > 1) ++stride;
  for (int v = 0; v < n; ++v) dof[v] = v * stride % n;
  for (auto& [i, j] : pairs) i = dof[i], j = dof[j];
  const auto pattern = std::make_shared<BlockPattern>(n, pairs);
  energy.attach({dof, pattern.get()});
  const VectorXd x = stacked(shaken(mesh.X, 0.1));
  const auto gradient = [&](const VectorXd& at) {
    VectorXd g = VectorXd::Zero(at.size());
    energy.evaluate(0, at, {.gradient = &g});
    return g;
  };
  const auto value = [&](const VectorXd& at) {
    double e = 0;
    energy.evaluate(0, at, {.value = &e});
    return e;
  };
  EXPECT_NEAR(value(stacked(mesh.X)), 3.0, 1e-13);  // pressure times the volume
  BlockMatrix K(pattern);
  K.set_zero();
  energy.evaluate(0, x, {.hessian = &K});
  const VectorXd g = gradient(x);
  constexpr double step = 1e-6;
  for (int v = 0; v < n; ++v)
    for (int c = 0; c < 3; ++c) {
      const VectorXd d = step * VectorXd::Unit(3 * n, 3 * v + c);
      EXPECT_NEAR((value(x + d) - value(x - d)) / (2 * step), g[3 * v + c], 1e-8);
      const VectorXd slope = (gradient(x + d) - gradient(x - d)) / (2 * step);
      VectorXd column;
      K.multiply(VectorXd::Unit(3 * n, 3 * dof[v] + c), column);
      for (int w = 0; w < n; ++w)
        EXPECT_LT((column.segment<3>(3 * dof[w]) - slope.segment<3>(3 * w)).norm(), 1e-8) << v << " " << w;
    }
  EXPECT_LT(Eigen::Map<const MatrixX3d>(g.data(), n, 3).colwise().sum().norm(), 1e-12);
}

}  // namespace
}  // namespace brio

// A round bar twisted by far: x = f(R) turned by the twist times Z, z = Z. Where the law resists changes of volume the bar
// grows thinner or thicker, and pushes or pulls at its ends (Poynting 1909). For an isotropic law the three-dimensional
// problem has this exact solution, with f from an equation in R alone, which is solved here without any tetrahedron; for
// the incompressible neo-Hookean law it is Rivlin's (1948), which checks the equation in R.

#include "brio/mesh/generators/cylinder.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/optimize/static_solve.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <numbers>

#include "material/material_samples.hpp"
#include "support/bodies.hpp"

namespace brio {
namespace {

using std::numbers::pi;

/// f on a grid of R, by Newton's method on the energy 2 pi int psi(F) R dR, F = [f' 0 0; 0 f/R twist f; 0 0 1] along
/// (R, Theta, Z); two points of Gauss in each interval.
struct TwistedDisk {
  VectorXd R, f;
  double torque = 0, axial = 0;  // [N m], [N], of the whole disk

  TwistedDisk(const Material& material, double radius, double twist, int n = 60)
      : R(VectorXd::LinSpaced(n + 1, 0, radius)), f(R) {
    for (int iteration = 0; iteration < 30; ++iteration) {
      VectorXd residual = VectorXd::Zero(n + 1);
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n + 1, n + 1);
      torque = axial = 0;
      for (int e = 0; e < n; ++e)
        for (const double s : {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)}) {
          const double h = R[e + 1] - R[e], r = R[e] + s * h, at = (1 - s) * f[e] + s * f[e + 1];
          Mat3 F;
          F << (f[e + 1] - f[e]) / h, 0, 0, 0, at / r, twist * at, 0, 0, 1;
          const Answer a = answer(material, F, Vec3::Zero());
          const double weight = 2 * pi * r * h / 2;
          // What a change of f at the two ends does to F, column-major as the rows of H.
          Eigen::Matrix<double, 9, 2> B = Eigen::Matrix<double, 9, 2>::Zero();
          for (int k = 0; k < 2; ++k) {
            const double shape = k ? s : 1 - s;
            B(0, k) = (k ? 1 : -1) / h;
            B(4, k) = shape / r;
            B(7, k) = twist * shape;
          }
          residual.segment<2>(e) += weight * B.transpose() * a.P.reshaped();
          J.block<2, 2>(e, e) += weight * B.transpose() * a.H * B;
          torque += weight * a.P(1, 2) * at;
          axial += weight * a.P(2, 2);
        }
      residual[0] = 0, J.row(0).setZero(), J(0, 0) = 1;  // the axis stays
      f -= J.partialPivLu().solve(residual);
    }
  }

  double operator()(double r) const {
    const double at = std::min(r / R[1], static_cast<double>(R.size() - 1));
    const Index e = std::min<Index>(static_cast<Index>(at), R.size() - 2);
    return f[e] + (at - static_cast<double>(e)) * (f[e + 1] - f[e]);
  }
};

TEST(Torsion, of_an_almost_incompressible_law_is_rivlins) {
  const double mu = 1000, a = 0.5, twist = 1;
  const auto material = testing::law("neo-hookean", {{"mu", mu}, {"lambda", 1e7 * mu}});
  const TwistedDisk disk(*material, a, twist, 200);
  EXPECT_NEAR(disk.torque / (pi / 2 * mu * twist * std::pow(a, 4)), 1, 1e-3);
  EXPECT_NEAR(disk.axial / (-pi / 4 * mu * twist * twist * std::pow(a, 4)), 1, 1e-2);
}

TEST(Torsion, at_finite_strain_is_that_of_each_law) {
  const double radius = 0.5, length = 1, twist = 1.2;  // the skin is sheared by 0.6
  TetMesh mesh = make_cylinder(radius, length, 2, 3);
  const int corners = mesh.vertices();
  make_quadratic(mesh);
  // The new vertices of the side go onto the circle.
  const MatrixX3i skin = boundary_triangles(mesh);
  const double end = mesh.X.col(2).maxCoeff(), start = mesh.X.col(2).minCoeff();
  for (int t = 0; t < skin.rows(); ++t) {
    bool side = false;  // whether the triangle is one of the side: not all at one end
    for (int c = 0; c < 3; ++c) side = side || (mesh.X(skin(t, c), 2) > start + 1e-9 && mesh.X(skin(t, c), 2) < end - 1e-9);
    for (int c = 0; side && c < 3; ++c) {
      auto x = mesh.X.row(skin(t, c));
      if (skin(t, c) >= corners && x.head<2>().norm() > 0.9 * radius) x.head<2>() *= radius / x.head<2>().norm();
    }
  }
  for (const MaterialEntry& row : isotropic_laws()) {
    SCOPED_TRACE(row.name);
    const std::shared_ptr<const Material> material = make_material(row, sample_options(row));
    const TwistedDisk disk(*material, radius, twist);
    NodalParts parts;
    parts.x0 = mesh.X;
    for (int v = 0; v < mesh.vertices(); ++v) {
      const Vec3 X = mesh.X.row(v);
      const double r = X.head<2>().norm(), turn = twist * X[2];
      if (r == 0) continue;
      parts.x0.row(v) << disk(r) / r * (std::cos(turn) * X[0] - std::sin(turn) * X[1]),
          disk(r) / r * (std::sin(turn) * X[0] + std::cos(turn) * X[1]), X[2];
    }
    const MatrixX3d exact = parts.x0;
    parts.vertex_mass = lumped_mass(mesh, 1);
    const std::vector<ElasticPart> elastic = {{material, testing::first_integers(mesh.tets())}};
    parts.energies.push_back(make_solid_energy(mesh, elastic));
    Support ends{{}, stand_still()};
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 2) < start + 1e-9 || mesh.X(v, 2) > end - 1e-9) ends.vertices.push_back(v);
    parts.supports.push_back(std::move(ends));
    const NodalSystem system(std::move(parts));
    // From a shape that is wrong: the inside is shaken by a hundredth of the radius.
    VectorXd q = system.free_part(testing::shaken(exact, 0.01 * radius, 5));
    const VectorXd begin = q;
    ASSERT_EQ(solve_static(system, 0, begin, {.tolerance = 1e-8}, {}, q).status, StaticStatus::converged);
    MatrixX3d x;
    system.positions(0, q, x);
    const double off = (x - exact).rowwise().norm().maxCoeff() / radius;
    VectorXd force = VectorXd::Zero(3 * mesh.vertices());
    make_solid_energy(mesh, elastic)->evaluate(0, testing::stacked(x), {.gradient = &force});
    double torque = 0, axial = 0;
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 2) > end - 1e-9) {
        torque += x(v, 0) * force[3 * v + 1] - x(v, 1) * force[3 * v];
        axial += force[3 * v + 2];
      }
    RecordProperty(row.name, fmt::format("off {}, torque {}, axial {} of {}", off, torque / disk.torque, axial, disk.axial));
    EXPECT_LT(off, 0.002);
    EXPECT_NEAR(torque / disk.torque, 1, 0.001);
    EXPECT_NEAR(axial, disk.axial, 0.002 * std::fabs(disk.torque) / radius);
  }
}

}  // namespace
}  // namespace brio

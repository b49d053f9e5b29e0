#pragma once
// A bar of square section, held at one end, of elements of either order, and what beam theory says of it.

#include "brio/mesh/quadratic.hpp"
#include "brio/optimize/static_solve.hpp"
#include "brio/system/modes.hpp"
#include "brio/system/nodal_linearization.hpp"

#include "support/bodies.hpp"

#include <cmath>
#include <numbers>

namespace brio::testing {

struct Beam {
  double length = 1, width = 0.1;  // [m]
  double E = 1e7, nu = 0.3;
  double rho = 1000, g = 0.1;  // a weight so small that the deflection is linear in it
  int along = 20, across = 2, tets_per_cell = 5, order = 2;

  TetMesh mesh() const {
    TetMesh mesh = make_box(Vec3(length, width, width), {along, across, across}, tets_per_cell);
    if (order == 2) make_quadratic(mesh);
    return mesh;
  }

  NodalSystem system(const TetMesh& mesh, bool weight) const {
    NodalParts parts;
    parts.x0 = mesh.X;
    parts.vertex_mass = lumped_mass(mesh, rho);
    parts.energies.push_back(make_solid_energy(
        mesh, {{law("stable-neo-hookean", {{"E", E}, {"nu", nu}}), first_integers(mesh.tets())}}));
    if (weight) parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(0, -g, 0)));
    Support wall{{}, stand_still()};
    for (int v = 0; v < mesh.vertices(); ++v)
      if (mesh.X(v, 0) < 1e-9) wall.vertices.push_back(v);
    parts.supports.push_back(std::move(wall));
    return NodalSystem(std::move(parts));
  }

  /// Mean displacement of the free end under the weight [m].
  Vec3 tip() const {
    const TetMesh m = mesh();
    const NodalSystem s = system(m, true);
    VectorXd q = s.free_part(s.rest_positions());
    const VectorXd rest = q;
    // Round-off leaves 1.4e-6 of so small a weight at nu = 0.49; what is asked of the tip is a hundred times coarser.
    const StaticReport report = solve_static(s, 0, rest, {.tolerance = 1e-5}, {}, q);
    EXPECT_EQ(report.status, StaticStatus::converged) << "residual " << report.residual << ", nu " << nu;
    MatrixX3d x;
    s.positions(0, q, x);
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (int v = 0; v < m.vertices(); ++v)
      if (m.X(v, 0) > length - 1e-9) sum += (x.row(v) - m.X.row(v)).transpose(), ++count;
    return sum / count;
  }

  /// Deflection of the free end where the root may grow thinner and thicker, as beams may: half of a bar of twice the
  /// length, whose middle stays plane by symmetry. Springs too weak to matter carry it there.
  double tip_with_free_root() const {
    TetMesh m = make_box(Vec3(2 * length, width, width), {2 * along, across, across}, tets_per_cell, Vec3(-length, 0, 0));
    if (order == 2) make_quadratic(m);
    NodalParts parts;
    parts.x0 = m.X;
    parts.vertex_mass = lumped_mass(m, rho);
    parts.energies.push_back(
        make_solid_energy(m, {{law("stable-neo-hookean", {{"E", E}, {"nu", nu}}), first_integers(m.tets())}}));
    parts.energies.push_back(std::make_unique<GravityEnergy>(parts.vertex_mass, Vec3(0, -g, 0)));
    std::vector<int> root;
    for (int v = 0; v < m.vertices(); ++v)
      if (std::fabs(m.X(v, 0)) < 1e-9) root.push_back(v);
    const double stiffness = 1e-3 * E * width / static_cast<double>(root.size());
    parts.energies.push_back(std::make_unique<AttachmentEnergy>(root, m.X, stiffness, stand_still()));
    const NodalSystem s(std::move(parts));
    VectorXd q = s.free_part(s.rest_positions());
    const VectorXd rest = q;
    EXPECT_EQ(solve_static(s, 0, rest, {.tolerance = 1e-6}, {}, q).status, StaticStatus::converged);
    MatrixX3d x;
    s.positions(0, q, x);
    double sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (int v = 0; v < m.vertices(); ++v)
      for (const int end : {0, 1})
        if (std::fabs(std::fabs(m.X(v, 0)) - end * length) < 1e-9) sum[end] += m.X(v, 1) - x(v, 1), ++count[end];
    return sum[1] / count[1] - sum[0] / count[0];
  }

  /// Timoshenko's: q L^4 / (8 E I) + q L^2 / (2 kappa G A), kappa = 10 (1 + nu) / (12 + 11 nu) (Cowper 1966).
  double timoshenko() const {
    const double A = width * width, I = A * A / 12, load = rho * g * A, G = E / (2 * (1 + nu));
    const double kappa = 10 * (1 + nu) / (12 + 11 * nu);
    return load * std::pow(length, 4) / (8 * E * I) + load * length * length / (2 * kappa * G * A);
  }

  /// Frequencies of the slowest modes; each bending mode comes twice, for the two directions [Hz].
  VectorXd frequencies(int count) const {
    const TetMesh m = mesh();
    const NodalSystem s = system(m, false);
    NodalLinearization lin(s);
    VectorXd gradient;
    lin.assemble(0, s.free_part(s.rest_positions()), Psd::none, gradient);
    const FoundModes found = find_modes(lin, s.mass(), count, 0);
    EXPECT_EQ(found.trouble, "");
    return found.modes.lambda.cwiseSqrt() / (2 * std::numbers::pi);
  }

  /// Euler's and Bernoulli's; mode counts from 0 [Hz].
  double euler_bernoulli(int mode) const {
    constexpr double beta[] = {1.8751040687, 4.6940911330, 7.8547574382};
    const double A = width * width, I = A * A / 12;
    return beta[mode] * beta[mode] / (2 * std::numbers::pi) * std::sqrt(E * I / (rho * A * std::pow(length, 4)));
  }
};

}  // namespace brio::testing

#pragma once
// A bar of tetrahedra that swings about its upper end and bends as it goes, in closed form: something to write down
// without simulating it.

#include "brio/output/frames/frame.hpp"

#include <array>
#include <cmath>
#include <map>

namespace brio::testing {

struct SwingingBar {
  static constexpr double kLength = 2, kThickness = 0.4, kPeriod = 2;  // [m], [m], [s]
  static constexpr double kSwing = 0.7, kBend = 0.25;                  // [rad], [1/m]

  MatrixX3d rest;  // hangs down from the origin along -z
  BodyTopology body;
  MatrixX3d x, v;
  VectorXd strain;

  explicit SwingingBar(int cells_across = 4) {
    const int n = cells_across, along = n * 5;
    const auto vertex = [&](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
    body.vertices = (n + 1) * (n + 1) * (along + 1);
    rest.resize(body.vertices, 3);
    for (int k = 0; k <= along; ++k)
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
          rest.row(vertex(i, j, k)) << kThickness * (double(i) / n - 0.5), kThickness * (double(j) / n - 0.5),
              -kLength * k / along;

    // Six tetrahedra around the diagonal of each cell, one for each order of stepping along the three axes.
    constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    body.tets.resize(6 * n * n * along, 4);
    int tet = 0;
    for (int k = 0; k < along; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          for (const auto& order : kOrders) {
            int at[3] = {i, j, k};
            body.tets(tet, 0) = vertex(i, j, k);
            for (int step = 0; step < 3; ++step)
              ++at[order[step]], body.tets(tet, step + 1) = vertex(at[0], at[1], at[2]);
            // k counts downwards, so even orders come out mirrored.
            if (&order < &kOrders[3]) std::swap(body.tets(tet, 2), body.tets(tet, 3));
            ++tet;
          }
    body.region = VectorXi::NullaryExpr(tet, [](Index i) { return static_cast<int>(i % 2); });
    body.triangles = outer_faces(body.tets);
    move(0);
  }

  /// Positions and velocities (central differences of the closed form) at time t [s].
  void move(double t) {
    constexpr double dt = 1e-5;
    x = positions(t);
    v = (positions(t + dt) - positions(t - dt)) / (2 * dt);
    strain = (kThickness * kBend * std::abs(std::cos(2 * M_PI * t / kPeriod))) * (rest.col(0).cwiseAbs() / kThickness);
  }

  MatrixX3d positions(double t) const {
    const double phase = std::cos(2 * M_PI * t / kPeriod);
    MatrixX3d at(rest.rows(), 3);
    for (Index i = 0; i < rest.rows(); ++i) {
      const double angle = phase * (kSwing - kBend * rest(i, 2));
      at.row(i) << rest(i, 0) * std::cos(angle) - rest(i, 2) * std::sin(angle), rest(i, 1),
          rest(i, 0) * std::sin(angle) + rest(i, 2) * std::cos(angle);
    }
    return at;
  }

  Frame frame(double t) {
    move(t);
    return {t, x, v, strain, no_obstacles};
  }

  std::vector<Placement> no_obstacles;

 private:
  static MatrixX3i outer_faces(const MatrixX4i& tets) {
    constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    std::map<std::array<int, 3>, std::array<int, 3>> once;
    for (const auto& tet : tets.rowwise())
      for (const auto& f : kFaces) {
        const std::array<int, 3> face{tet[f[0]], tet[f[1]], tet[f[2]]};
        std::array<int, 3> key = face;
        std::sort(key.begin(), key.end());
        if (!once.emplace(key, face).second) once.erase(key);
      }
    MatrixX3i triangles(once.size(), 3);
    int row = 0;
    for (const auto& [key, face] : once) triangles.row(row++) << face[0], face[1], face[2];
    return triangles;
  }
};

}  // namespace brio::testing

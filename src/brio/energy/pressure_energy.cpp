#include "brio/energy/pressure_energy.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <set>

namespace brio {
namespace {

/// [v]_x, so that [v]_x w = v x w.
Mat3 cross_matrix(const Vec3& v) {
  Mat3 C;
  C << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return C;
}

void require_closed(const MatrixX3i& triangles) {
  std::set<std::pair<int, int>> edges;
  for (Index t = 0; t < triangles.rows(); ++t)
    for (int c = 0; c < 3; ++c) edges.emplace(triangles(t, c), triangles(t, (c + 1) % 3));
  for (const auto& [a, b] : edges)
    if (!edges.contains({b, a}))
      throw Error("the surface of the set is not closed: it ends at the edge between vertices {} and {}; take the load "
                  "\"pressure\" for a surface with a rim",
                  a, b);
}

}  // namespace

MatrixX3i triangles_within(const MatrixX3i& triangles, const std::vector<int>& vertices) {
  std::vector<Index> inside;
  const auto chosen = [&](int v) { return std::binary_search(vertices.begin(), vertices.end(), v); };
  for (Index t = 0; t < triangles.rows(); ++t)
    if (chosen(triangles(t, 0)) && chosen(triangles(t, 1)) && chosen(triangles(t, 2))) inside.push_back(t);
  if (inside.empty())
    throw Error("a pressure needs a surface, and no triangle of it has all its corners in the set of {} vertices",
                vertices.size());
  return triangles(inside, Eigen::all);
}

PressureEnergy::PressureEnergy(MatrixX3i triangles, double pressure, const Vec3& origin)
    : Energy(Ledger::elastic), triangles_(std::move(triangles)), pressure_(pressure), origin_(origin) {
  require_closed(triangles_);
  slots_.assign(static_cast<size_t>(triangles_.rows()), {-1, -1, -1});
  turned_.assign(slots_.size(), {});
}

void PressureEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  const bool stiffness = want.hessian && want.psd == Psd::none;  // indefinite: a projection leaves it out
  for (Index t = 0; t < triangles_.rows(); ++t) {
    Vec3 corner[3];
    for (int c = 0; c < 3; ++c) corner[c] = x.segment<3>(3 * triangles_(t, c)) - origin_;
    const double sixth = pressure_ / 6;
    if (want.value) *want.value += sixth * corner[0].dot(corner[1].cross(corner[2]));
    for (int c = 0; c < 3; ++c) {
      const int next = (c + 1) % 3, last = (c + 2) % 3;
      if (want.gradient) want.gradient->segment<3>(3 * triangles_(t, c)) += sixth * corner[next].cross(corner[last]);
      if (!stiffness || slots_[t][c] < 0) continue;
      // d/dx_next of x_next x x_last
      Mat3 block = -sixth * cross_matrix(corner[last]);
      if (turned_[t][c]) block.transposeInPlace();
      double* to = want.hessian->block(slots_[t][c]);
      for (int i = 0; i < 9; ++i) to[i] += block(i / 3, i % 3);
    }
  }
}

void PressureEnergy::add_couplings(std::vector<std::pair<int, int>>& pairs) const {
  for (Index t = 0; t < triangles_.rows(); ++t)
    for (int c = 0; c < 3; ++c) pairs.emplace_back(triangles_(t, c), triangles_(t, (c + 1) % 3));
}

void PressureEnergy::attach(const BlockLayout& layout) {
  for (Index t = 0; t < triangles_.rows(); ++t)
    for (int c = 0; c < 3; ++c) {
      const int row = layout.dof[triangles_(t, c)], column = layout.dof[triangles_(t, (c + 1) % 3)];
      slots_[t][c] = row >= 0 && column >= 0 ? layout.pattern->slot(row, column) : -1;
      turned_[t][c] = row < column;
    }
}

EnergyEntry pressure_entry() {
  return {{"pressure",
           "a pressure that pushes against a closed surface, as of the wall of a cavity, and turns with it; the set "
           "names its vertices",
           {Option::number("pressure", "Pa", "against the material; negative: suction")}},
          [](const Options& o, const EnergyTarget& target) {
            MatrixX3i triangles = triangles_within(target.triangles, target.vertices);
            const Vec3 origin = target.x0(target.vertices, Eigen::all).colwise().mean();
            return std::make_unique<PressureEnergy>(std::move(triangles), o.number("pressure"), origin);
          }};
}

}  // namespace brio

#pragma once
// Bodies with a few dynamic nodes, for the tests of condensation.

#include "brio/integrate/methods/condensed.hpp"

#include "support/bodies.hpp"
#include "support/integrators.hpp"

namespace brio::testing {

inline std::unique_ptr<CondensedIntegrator> condensed(std::vector<int> vertices, const std::string& inner = "si",
                                                      CondensationOptions options = {},
                                                      std::map<std::string, OptionValue> inner_options = {}) {
  return std::make_unique<CondensedIntegrator>([=] { return integrator(inner, inner_options); }, options,
                                               DynamicNodes{std::move(vertices), {}});
}

inline std::vector<int> free_vertices(const NodalSystem& system) {
  std::vector<int> all;
  for (int v = 0; v < system.vertices(); ++v)
    if (!system.supported(v)) all.push_back(v);
  return all;
}

/// The free vertex nearest to a place at rest.
inline int vertex_at(const NodalSystem& system, const Vec3& x) {
  int best = -1;
  for (int v : free_vertices(system)) {
    const auto away = [&](int w) { return (system.rest_positions().row(w).transpose() - x).norm(); };
    if (best < 0 || away(v) < away(best)) best = v;
  }
  return best;
}

/// Bent and moving.
inline State bent_body(const NodalSystem& system) {
  MatrixX3d x = system.rest_positions(), u(x.rows(), 3);
  for (Index i = 0; i < x.rows(); ++i) {
    const double s = x(i, 0) / 0.4;
    x(i, 1) += 0.03 * s * s;
    u.row(i) << 0, 0.1 * s, 0.2 * s * s;
  }
  return {0, system.free_part(x), system.free_part(u), {}};
}

/// Springs without rest length between the vertices of the bar's edges: forces linear in the positions.
class LinearSprings : public Energy {
 public:
  LinearSprings(const TetMesh& mesh, double k) : Energy(Ledger::elastic), k_(k) {
    for (int e = 0; e < mesh.tets(); ++e)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b) edges_.emplace_back(mesh.T(e, a), mesh.T(e, b));
  }
  void evaluate(double, const VectorXd& x, const EnergyWant& want) const override {
    for (const auto& [i, j] : edges_) {
      const Vec3 d = x.segment<3>(3 * i) - x.segment<3>(3 * j);
      if (want.value) *want.value += k_ / 2 * d.squaredNorm();
      if (want.gradient) {
        want.gradient->segment<3>(3 * i) += k_ * d;
        want.gradient->segment<3>(3 * j) -= k_ * d;
      }
      if (!want.hessian) continue;
      const int a = layout_.dof[i], b = layout_.dof[j];
      const auto add = [&](int r, int c, double value) {
        double* block = want.hessian->block(layout_.pattern->slot(r, c));
        for (int k = 0; k < 3; ++k) block[4 * k] += value;
      };
      if (a >= 0) add(a, a, k_);
      if (b >= 0) add(b, b, k_);
      if (a >= 0 && b >= 0) add(a, b, -k_);
    }
  }
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override {
    pairs.insert(pairs.end(), edges_.begin(), edges_.end());
  }
  void attach(const BlockLayout& layout) override { layout_ = layout; }
  bool time_dependent() const override { return false; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

 private:
  double k_;
  std::vector<std::pair<int, int>> edges_;
  BlockLayout layout_;
};

}  // namespace brio::testing

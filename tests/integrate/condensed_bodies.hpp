#pragma once
// Bodies with a few dynamic nodes, for the tests of condensation.

#include "brio/integrate/condensed.hpp"

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

}  // namespace brio::testing

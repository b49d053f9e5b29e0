#include "brio/diagnose/body_budget.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace brio {

std::vector<BodyBudget> body_budgets(const NodalSystem& system, const State& state,
                                     const std::vector<int>& body_of_vertex, const MatrixX3d& x, const MatrixX3d& u) {
  std::vector<Potentials> potentials;
  system.potentials_by_body(state.t, state.q, potentials);
  const int bodies = body_of_vertex.empty() ? 0 : *std::max_element(body_of_vertex.begin(), body_of_vertex.end()) + 1;
  std::vector<BodyBudget> budgets(bodies);
  std::vector<double> mass(bodies, 0);
  for (int v = 0; v < system.vertices(); ++v) {
    const int b = body_of_vertex[v];
    BodyBudget& budget = budgets[b];
    const double m = system.vertex_mass()[v];
    const Vec3 at = x.row(v).transpose(), p = m * u.row(v).transpose();
    if (!system.supported(v)) budget.kinetic += 0.5 * p.squaredNorm() / m;
    budget.momentum.linear += p;
    budget.momentum.angular += at.cross(p);
    budget.center += m * at;
    mass[b] += m;
  }
  for (int b = 0; b < bodies; ++b) {
    budgets[b].center /= mass[b];
    if (b < static_cast<int>(potentials.size())) budgets[b].potentials = potentials[b];
  }
  return budgets;
}

}  // namespace brio

#include "brio/scene/vibrations.hpp"

#include "brio/core/error.hpp"
#include "brio/system/modes.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {

double Vibration::omega() const { return rigid ? 0 : std::sqrt(std::fabs(lambda)); }

double Vibration::frequency() const { return lambda > 0 ? omega() / (2 * std::numbers::pi) : 0; }

namespace {

/// The body with the largest part of the modal mass.
void find_mover(const Simulation& simulation, const VectorXd& momentum, Vibration& v) {
  if (simulation.bodies.front().name.empty()) return;
  VectorXd part = VectorXd::Zero(static_cast<Index>(simulation.bodies.size()));
  for (Index i = 0; i < momentum.size(); ++i)
    part[simulation.body_of_vertex[simulation.system->vertex_of(static_cast<int>(i / 3))]] += momentum[i] * v.shape[i];
  Index most = 0;
  v.body_share = part.maxCoeff(&most) / part.sum();
  v.body = simulation.bodies[most].name;
}

}  // namespace

std::vector<Vibration> find_vibrations(const Simulation& simulation, int count) {
  for (const Body& body : simulation.bodies)
    if (body.bones > 0)
      throw Error("{}bones are rigid: they have no vibrations",
                  body.name.empty() ? "" : fmt::format("body \"{}\": ", body.name));
  const NodalSystem& system = *simulation.system;
  const VectorXd& mass = system.mass();
  const Index n = system.dofs();
  if (n == 0) throw Error("every vertex is held: a body that cannot move has no modes; hold fewer (\"constraints\")");
  if (count < 1 || count > n)
    throw Error("{} modes asked of a body with {} degrees of freedom: ask for 1 to {}", count, n, n);
  // Modes need exact solutions, or an engine that knows how to find them.
  const bool by_engine = system.engine() && system.engine()->finds_modes();
  NodalLinearization lin(system, by_engine ? nullptr : make_cholesky(system.pattern()));
  VectorXd gradient;
  lin.assemble(simulation.state.t, simulation.state.q, Psd::none, gradient);
  if (!gradient.allFinite()) throw Error("the forces on the body are not finite: the shape is out of the law's range");
  const std::optional<double> shift = least_shift(lin, mass);
  if (!shift)
    throw Error("the stiffness cannot be factored: it is zero or not finite, or the shape is far from stable");
  const ElasticModes found = find_elastic_modes(lin, mass, count, 0, *shift);
  if (!found.trouble.empty()) throw Error("{}", found.trouble);

  std::vector<Vibration> vibrations;
  const double moving = mass.sum() / 3;
  // What repeats may come in any order; rigid motions are those closest to zero.
  std::vector<Index> order(found.modes.lambda.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  const auto size = [&](Index i) { return std::fabs(found.modes.lambda[i]); };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) < size(b); });
  std::sort(order.begin() + found.rigid, order.end());
  for (size_t i = 0; i < order.size(); ++i) {
    Vibration& v = vibrations.emplace_back();
    v.rigid = static_cast<int>(i) < found.rigid;
    v.lambda = found.modes.lambda[order[i]];
    v.shape = found.modes.U.col(order[i]);
    const VectorXd momentum = mass.cwiseProduct(v.shape);
    for (int axis = 0; axis < 3; ++axis) {
      const double share = momentum(Eigen::seq(axis, Eigen::last, 3)).sum();
      v.mass_share[axis] = share * share / moving;
    }
    find_mover(simulation, momentum, v);
  }
  return vibrations;
}

}  // namespace brio

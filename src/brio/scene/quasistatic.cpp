#include "brio/scene/quasistatic.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

/// A body that no support, attachment or obstacle can hold has a rest shape only if the forces on it add up to zero.
void refuse_free_fall(const Simulation& simulation, double t) {
  if (simulation.held || !simulation.obstacles.empty()) return;
  const NodalSystem& system = *simulation.system;
  VectorXd gradient, load;
  system.gradient(t, simulation.state.q, gradient);
  system.load(t, simulation.state.q, VectorXd::Zero(system.dofs()), load);
  const MatrixX3d forces = (load - gradient).reshaped<Eigen::RowMajor>(system.dofs() / 3, 3);
  const Vec3 total = forces.colwise().sum();
  if (total.lpNorm<1>() <= 1e-9 * forces.lpNorm<1>()) return;
  throw Error(
      "nothing holds the body: the forces on it add up to ({:.4g}, {:.4g}, {:.4g}) N, so it has no shape at rest. Hold "
      "some vertices (\"constraints\" or \"attachments\"), put an obstacle in its way, or take the force away "
      "(--set 'gravity=[0,0,0]')",
      total[0], total[1], total[2]);
}

std::string message_for(const StaticReport& report) {
  const std::string residual = fmt::format("{:.3g} of the load is not balanced", report.residual);
  switch (report.status) {
    case StaticStatus::converged:
      return report.stable ? ""
                           : "the forces balance, but the shape is unstable: a small push would change it. Shake the "
                             "start to find a stable one (--set initial.jitter=1e-4)";
    case StaticStatus::out_of_iterations:
      return fmt::format(
          "after {} iterations {}. Allow more (--iterations), start nearer to the shape (\"initial\"), "
          "or lower the load; one that turns with the body, such as wind, may have no rest shape",
          report.iterations, residual);
    case StaticStatus::stuck:
      return fmt::format(
          "iteration {}: no step brings the forces nearer to balance; {}. A load that turns with the "
          "body may have no rest shape; otherwise try a larger --tolerance or another start (\"initial\")",
          report.iterations, residual);
    case StaticStatus::escaped:
      return fmt::format(
          "iteration {}: part of the body has moved away a thousand times its size; nothing holds it "
          "against the load. Hold it (\"constraints\" or \"attachments\") or put an obstacle in its way",
          report.iterations);
    case StaticStatus::stopped:
      return fmt::format("interrupted after {} iterations; {}", report.iterations, residual);
  }
  return "";
}

}  // namespace

std::string to_string(StaticStatus status) {
  return status == StaticStatus::converged ? "converged"
         : status == StaticStatus::stopped ? "interrupted"
                                           : "not-converged";
}

QuasistaticResult solve_quasistatic(Simulation& simulation, double t, const StaticLimits& limits,
                                    const std::function<bool(const QuasistaticIterate&)>& on_iterate) {
  if (simulation.bones) throw Error("a scene of bones has no shape at rest to find: damp its joints and run it");
  refuse_free_fall(simulation, t);
  const NodalSystem& system = *simulation.system;
  Stopwatch watch;
  QuasistaticResult result;
  MatrixX3d x;
  const auto tell = [&](const StaticIterate& now) {
    result.potentials = system.potentials(t, now.q);
    if (!on_iterate) return true;
    system.positions(t, now.q, x);
    return on_iterate({now.iteration, now.residual, now.length, result.potentials, x});
  };
  const VectorXd unloaded = system.free_part(system.rest_positions());
  result.solve = solve_static(system, t, unloaded, limits, tell, simulation.state.q);
  result.message = message_for(result.solve);
  simulation.state.t = t;
  simulation.state.v.setZero();
  simulation.state.memory.clear();
  result.wall_s = watch.lap();
  return result;
}

}  // namespace brio

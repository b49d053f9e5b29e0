#include "brio/scene/growing_vibration.hpp"

#include "brio/scene/scene.hpp"
#include "brio/system/modes.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <fmt/format.h>

#include <numbers>

namespace brio {

std::string GrowingVibration::remedy() const {
  return longest_step ? fmt::format("take steps below {:.2g} s, or an implicit method", *longest_step)
                      : "it does so with any step, so take another method";
}

std::optional<GrowingVibration> growing_vibration(const Simulation& simulation, double t, const VectorXd& q) {
  constexpr double kGrows = 1 + 1e-6, kVeryFast = 1e6, kUseless = 0.01;
  const Scene& scene = *simulation.scene;
  if (simulation.bones || scene.condensation) return {};  // they step in coordinates of their own
  const IntegratorEntry& method = find_row(integrators(), "integrator", scene.integrator.name);
  const auto grows = [&](double h_omega) {
    return method.amplification && method.amplification(scene.integrator.options, h_omega) > kGrows;
  };
  if (!grows(kVeryFast)) return {};
  NodalLinearization lin(*simulation.system);
  VectorXd gradient;
  lin.assemble(t, q, Psd::none, gradient);
  const double fastest = fastest_vibration(lin, simulation.system->mass());
  if (!grows(simulation.h * fastest)) return {};
  double calm = 0, wild = simulation.h * fastest;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (calm + wild);
    (grows(middle) ? wild : calm) = middle;
  }
  GrowingVibration found{fastest / (2 * std::numbers::pi), {}};
  if (calm > kUseless) found.longest_step = calm / fastest;
  return found;
}

}  // namespace brio

#pragma once
// The one-degree-of-freedom oscillator (three times over: x, y, z) as a real system: a vertex on a soft attachment.

#include "brio/energy/vertex_energies.hpp"
#include "brio/system/nodal_system.hpp"

namespace brio::testing {

/// Mass [kg] on a spring to the origin with angular frequency omega [rad/s].
inline NodalSystem oscillator(double omega, double mass = 2, RayleighDamping damping = {}) {
  NodalParts parts;
  parts.x0 = MatrixX3d::Zero(1, 3);
  parts.vertex_mass = VectorXd::Constant(1, mass);
  parts.energies.push_back(
      std::make_unique<AttachmentEnergy>(std::vector<int>{0}, parts.x0, mass * omega * omega, stand_still()));
  parts.damping = damping;
  return NodalSystem(std::move(parts));
}

}  // namespace brio::testing

#include "brio/system/oscillator.hpp"

#include "brio/energy/vertex_energies.hpp"

namespace brio {

NodalSystem oscillator(double omega, double mass, RayleighDamping damping) {
  NodalParts parts;
  parts.x0 = MatrixX3d::Zero(1, 3);
  parts.vertex_mass = VectorXd::Constant(1, mass);
  parts.energies.push_back(
      std::make_unique<AttachmentEnergy>(std::vector<int>{0}, parts.x0, mass * omega * omega, stand_still()));
  parts.damping = damping;
  return NodalSystem(std::move(parts));
}

}  // namespace brio

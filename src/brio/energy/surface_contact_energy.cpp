#include "brio/energy/surface_contact_energy.hpp"

namespace brio {

void SurfaceContactEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  const auto room = scratch_.take();
  if (!room->potential) room->potential = std::make_unique<ContactPotential>(*surface_);
  room->potential->find(x, room->contacts);
  for (const ActiveContact& contact : room->contacts) {
    if (want.value) *want.value += contact.energy;
    if (!want.gradient) continue;
    for (int i = 0; i < 4; ++i) want.gradient->segment<3>(3 * contact.vertex[i]) += contact.gradient[i];
  }
}

}  // namespace brio

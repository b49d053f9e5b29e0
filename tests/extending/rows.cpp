#include "rows.hpp"

#include "cushion.hpp"
#include "linear_midpoint.hpp"
#include "tissue.hpp"

namespace brio {

void register_rows(Registry& registry) {
  registry.add_isotropic_law(tissue_entry());
  registry.add_energy(cushion_entry());
  registry.add_integrator(LinearMidpoint::entry());
  registry.add_load(swirl_entry());
  registry.add_frame_format(xyz_entry());
}

}  // namespace brio

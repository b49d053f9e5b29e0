#include "brio/energy/energy_table.hpp"

#include "brio/energy/harmonic_energy.hpp"
#include "brio/energy/pressure_energy.hpp"

namespace brio {

Table<EnergyEntry>& energy_table() {
  static Table<EnergyEntry> table("energy", {harmonic_entry(), pressure_entry()});
  return table;
}

const std::vector<EnergyEntry>& energies() { return energy_table().rows(); }

}  // namespace brio

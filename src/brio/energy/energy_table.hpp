#pragma once
// The table of potential energies that a scene file can name in "energies".
//
//   const EnergyEntry& row = find_row(energies(), "energy", "harmonic");
//   std::unique_ptr<Energy> well = row.make(Options(row.options, {{"frequency", 2.0}}, "well"), target);

#include "brio/core/table.hpp"
#include "brio/energy/energy.hpp"

#include <functional>
#include <memory>

namespace brio {

/// What an energy belongs to.
struct EnergyTarget {
  std::vector<int> vertices;  ///< of the set that the scene names, ascending; all of them without a set
  MatrixX3d x0;               ///< rest positions of all vertices [m]
  VectorXd mass;              ///< of all vertices [kg]
  MatrixX4i tets;             ///< vertices of all tetrahedra; without rows where there are none
  MatrixX3i triangles;        ///< the surface, seen from outside counterclockwise
};

struct EnergyEntry : Entry {
  std::function<std::unique_ptr<Energy>(const Options&, const EnergyTarget&)> make;
};

/// harmonic, pressure.
const std::vector<EnergyEntry>& energies();
Table<EnergyEntry>& energy_table();  ///< the same, to add rows to

}  // namespace brio

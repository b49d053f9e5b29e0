#pragma once
// A sheet of hexagonal tubes: the core of sandwich panels, stiff along the tubes and soft across.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

struct Honeycomb {
  int columns = 5, rows = 5;     ///< cells along x and y
  double side = 0.1;             ///< of a cell's hexagon, in the middle of the walls [m]
  double wall_thickness = 0.03;  ///< [m]
  double depth = 0.08;           ///< length of the tubes, along z [m]
  int cells_along = 4;           ///< elements along each wall
  int cells_across = 1;          ///< elements over half of a wall's thickness
  int cells_deep = 3;            ///< elements over the depth
};

/// Region 1 is the rim, the walls with a cell on one side only; region 0 is the rest. The honeycomb of [SIERE] section 4.5
/// has a soft core in a stiff edge. The sheet starts at the origin.
TetMesh make_honeycomb(const Honeycomb& sheet);

GeneratorEntry honeycomb_generator();

}  // namespace brio

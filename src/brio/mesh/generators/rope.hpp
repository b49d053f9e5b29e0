#pragma once
// A coiled rope: a disc swept along a helix.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

struct Coil {
  double coil_radius = 0.3;    ///< from the axis of the coil (y) to the middle of the rope [m]
  double pitch = 0.2;          ///< rise along y for each turn [m]
  double turns = 5;            ///< may be broken [1]
  double rope_radius = 0.06;   ///< [m]
  int resolution = 2;          ///< elements over the radius of the rope
  int segments_per_turn = 48;  ///< elements along the rope for each turn
};

/// Refuses a coil whose rope would run into itself.
TetMesh make_rope(const Coil& coil);

GeneratorEntry rope_generator();

}  // namespace brio

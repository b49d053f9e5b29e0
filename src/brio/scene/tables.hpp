#pragma once
// Everything that a scene file can name, gathered from the tables of the other folders: what the reader accepts, the
// schema lists and `brio list` shows.

#include "brio/core/options.hpp"

#include <vector>

namespace brio {

struct SceneTables {
  std::vector<Entry> generators;         ///< tetrahedral meshes
  std::vector<Entry> spring_generators;  ///< cloth and ropes
  std::vector<Entry> isotropic_laws;
  std::vector<Entry> fiber_laws;
  std::vector<Entry> motions;
  std::vector<Entry> obstacles;
  std::vector<Entry> loads;
  std::vector<Entry> integrators;
  std::vector<Entry> selectors;
  std::vector<Entry> frame_formats;
  std::vector<Entry> node_choosers;  ///< dynamic nodes of a condensed body
  std::vector<Entry> shapes;         ///< solids that a generated mesh fills
  std::vector<Entry> cuts;           ///< surfaces that a body is cut with
  std::vector<Entry> bone_shapes;
  std::vector<Entry> joints;
  std::vector<Entry> energies;  ///< potential energies of vertices
  std::vector<Entry> engines;   ///< how matrices are solved with
};

/// The rows of a table without their factories.
template <class Row>
std::vector<Entry> entries_of(const std::vector<Row>& table) {
  return {table.begin(), table.end()};
}

}  // namespace brio

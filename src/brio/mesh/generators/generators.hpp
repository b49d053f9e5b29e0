#pragma once
// The table of meshes that brio makes itself; the scene reader, `brio list`, the docs and the tests read it.
//
//   const GeneratorEntry& ball = find_row(generators(), "generator", "ball");
//   TetMesh mesh = ball.make(Options(ball.options, {{"radius", 0.2}}, "ball"));
//
// From C++ the plain functions are shorter: make_ball(0.2, 0.04, 6).

#include "brio/core/table.hpp"
#include "brio/mesh/loaded_mesh.hpp"
#include "brio/mesh/spring_net.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <functional>
#include <vector>

namespace brio {

struct GeneratorEntry : Entry {
  std::function<TetMesh(const Options&)> make;
  /// Of rows whose meshes have regions or vertices with names: the mesh with these.
  std::function<LoadedMesh(const Options&)> make_named = {};
};

struct SpringGeneratorEntry : Entry {
  std::function<SpringNet(const Options&)> make;
};

const std::vector<GeneratorEntry>& generators();
Table<GeneratorEntry>& generator_table();  ///< the same, to add rows to
const std::vector<SpringGeneratorEntry>& spring_generators();
Table<SpringGeneratorEntry>& spring_generator_table();  ///< the same, to add rows to

}  // namespace brio

#include "brio/mesh/generators/generators.hpp"

#include "brio/mesh/generators/ball.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/generators/cloth.hpp"
#include "brio/mesh/generators/cylinder.hpp"
#include "brio/mesh/generators/given_mesh.hpp"
#include "brio/mesh/generators/honeycomb.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"
#include "brio/mesh/generators/rope.hpp"
#include "brio/mesh/generators/spring_rope.hpp"

namespace brio {

static std::vector<GeneratorEntry> built_in_generators() {
  return {box_generator(),  bar_generator(),       cylinder_generator(), ball_generator(),
          rope_generator(), honeycomb_generator(), shape_generator(), given_mesh_generator()};
}

Table<GeneratorEntry>& generator_table() {
  static Table<GeneratorEntry> table("generator", built_in_generators());
  return table;
}

const std::vector<GeneratorEntry>& generators() { return generator_table().rows(); }

static std::vector<SpringGeneratorEntry> built_in_spring_generators() {
  return {cloth_generator(), spring_rope_generator()};
}

Table<SpringGeneratorEntry>& spring_generator_table() {
  static Table<SpringGeneratorEntry> table("spring generator", built_in_spring_generators());
  return table;
}

const std::vector<SpringGeneratorEntry>& spring_generators() { return spring_generator_table().rows(); }

}  // namespace brio

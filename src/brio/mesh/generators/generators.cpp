#include "brio/mesh/generators/generators.hpp"

#include "brio/mesh/generators/ball.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/generators/cloth.hpp"
#include "brio/mesh/generators/cylinder.hpp"
#include "brio/mesh/generators/honeycomb.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"
#include "brio/mesh/generators/rope.hpp"
#include "brio/mesh/generators/spring_rope.hpp"

namespace brio {

const std::vector<GeneratorEntry>& generators() {
  static const std::vector<GeneratorEntry> table{box_generator(),  bar_generator(),  cylinder_generator(),
                                                 ball_generator(), rope_generator(), honeycomb_generator(),
                                                 shape_generator()};
  return table;
}

const std::vector<SpringGeneratorEntry>& spring_generators() {
  static const std::vector<SpringGeneratorEntry> table{cloth_generator(), spring_rope_generator()};
  return table;
}

}  // namespace brio

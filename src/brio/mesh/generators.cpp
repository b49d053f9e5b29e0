#include "brio/mesh/generators.hpp"

#include "brio/mesh/ball.hpp"
#include "brio/mesh/box.hpp"
#include "brio/mesh/cloth.hpp"
#include "brio/mesh/cylinder.hpp"
#include "brio/mesh/honeycomb.hpp"
#include "brio/mesh/implicit_mesh.hpp"
#include "brio/mesh/rope.hpp"
#include "brio/mesh/spring_rope.hpp"

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

#include "brio/mesh/generators/spring_rope.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"

#include <cmath>

namespace brio {

SpringNet make_spring_rope(double length, int segments, const Vec3& direction) {
  const char* name = "spring-rope";
  require_length(name, "length", length);
  require_at_least(name, "segments", segments, 1);
  require_count(name, 2.0 * segments, "use fewer segments");
  const Vec3 unit = direction.stableNormalized();
  if (!(std::fabs(unit.norm() - 1) < 1e-6)) {
    throw Error("spring-rope: direction = [{}, {}, {}]: must have a length above 0", direction[0], direction[1],
                direction[2]);
  }

  SpringNet net;
  net.X.resize(segments + 1, 3);
  for (int i = 0; i <= segments; ++i) net.X.row(i) = length * i / segments * unit;
  net.springs.resize(2 * segments - 1, 2);
  net.kind.resize(2 * segments - 1);
  for (int s = 0; s < net.kind.size(); ++s) {
    const bool bend = s >= segments;
    const int first = bend ? s - segments : s;
    net.springs.row(s) << first, first + (bend ? 2 : 1);
    net.kind[s] = bend ? 2 : 0;
  }
  return net;
}

SpringGeneratorEntry spring_rope_generator() {
  return {{"spring-rope",
           "a chain of points with structural and bend springs, from the origin",
           {Option::number("length", "m", "length of the rope").with_default(1.0).above(0),
            Option::integer("segments", "springs along the rope").with_default(20.0).at_least(1),
            Option::vec3("direction", "", "direction of the rope, of any length").with_default(Vec3(1, 0, 0))}},
          [](const Options& o) {
            return make_spring_rope(o.number("length"), o.integer("segments"), o.vec3("direction"));
          }};
}

}  // namespace brio

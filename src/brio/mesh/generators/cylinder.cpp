#include "brio/mesh/generators/cylinder.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/generators/sweep.hpp"

namespace brio {

TetMesh make_cylinder(double radius, double height, int axis, int resolution) {
  const char* name = "cylinder";
  require_length(name, "radius", radius);
  require_length(name, "height", height);
  require_at_least(name, "resolution", resolution, 1);
  if (axis < 0 || axis > 2) throw Error("cylinder: axis = {}: must be 0, 1 or 2 for x, y or z", axis);
  const double layers = pieces(height, radius / resolution);
  const char* remedy = "use a lower resolution or a shorter cylinder";
  require_count(name, swept_tets(6.0 * resolution * resolution, layers), remedy);

  const int u = (axis + 1) % 3, v = (axis + 2) % 3;  // u cross v points along the axis
  return sweep(
      name, make_disc(radius, resolution), static_cast<int>(layers),
      [&](int layer, const Eigen::Vector2d& p) {
        Vec3 x;
        x[axis] = height * layer / layers;
        x[u] = p[0];
        x[v] = p[1];
        return x;
      },
      "choose a radius and a height nearer to 1 m");
}

GeneratorEntry cylinder_generator() {
  return {{"cylinder",
           "a solid cylinder from the origin along an axis",
           {Option::number("radius", "m", "radius").with_default(0.5).above(0),
            Option::number("height", "m", "length along the axis").with_default(2.0).above(0),
            Option::choice("axis", {"x", "y", "z"}, "direction of the axis").with_default("y"),
            Option::integer("resolution", "elements over the radius").with_default(4.0).at_least(1)}},
          [](const Options& o) {
            return make_cylinder(o.number("radius"), o.number("height"), o.text("axis")[0] - 'x',
                                 o.integer("resolution"));
          }};
}

}  // namespace brio

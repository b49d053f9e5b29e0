#include "brio/mesh/solids/implicit_shapes.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/solids/implicit_operations.hpp"
#include "brio/mesh/solids/implicit_primitives.hpp"

#include <numbers>

namespace brio {
namespace {

constexpr double kMostParts = 20000;  // simple shapes looked at for one value; repetitions of repetitions grow fast

constexpr double kDegree = std::numbers::pi / 180;

Vec3 direction(const Options& o, const std::string& key) {
  const Vec3 d = o.vec3(key);
  if (!(d.norm() > 0)) throw Error("{} = [0, 0, 0]: expected a direction, for example [0, 1, 0]", key);
  return d.normalized();
}

int axis_of(const Options& o) { return o.text("axis")[0] - 'x'; }

std::vector<SolidPointer> parts_of(const Options& o, const std::string& key) {
  std::vector<SolidPointer> parts;
  for (const Item& item : o.items(key)) parts.push_back(make_shape(item));
  return parts;
}

SolidPointer body_of(const Options& o) { return make_shape(o.item("of")); }

std::pair<Vec3, Vec3> ends_of(const Options& o) {
  if (o.vec3("from") == o.vec3("to")) throw Error("\"from\" and \"to\" are the same point");
  return {o.vec3("from"), o.vec3("to")};
}

SolidPointer capsule(const Options& o) {
  const double radius = o.number("radius");
  return make_capsule(o.vec3("from"), o.vec3("to"), radius, o.has("end_radius") ? o.number("end_radius") : radius);
}

SolidPointer cylinder(const Options& o) {
  const auto [a, b] = ends_of(o);
  return make_cone(a, b, o.number("radius"), o.number("radius"));
}

SolidPointer cone(const Options& o) {
  const auto [a, b] = ends_of(o);
  return make_cone(a, b, o.number("radius"), o.number("end_radius"));
}

SolidPointer tube(const Options& o) {
  const std::vector<Vec3>& points = o.vec3s("points");
  const std::vector<double>& radii = o.numbers("radii");
  if (points.size() < 2) throw Error("\"points\" must be at least two");
  if (radii.size() != 1 && radii.size() != points.size()) {
    throw Error("\"radii\" has {} numbers for {} points; give one for all, or one for each", radii.size(),
                points.size());
  }
  std::vector<SolidPointer> parts;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const bool one = radii.size() == 1;
    parts.push_back(make_capsule(points[i], points[i + 1], radii[one ? 0 : i], radii[one ? 0 : i + 1]));
  }
  return make_union(std::move(parts));
}

SolidPointer torus(const Options& o) {
  return make_torus(o.vec3("center"), direction(o, "axis"), o.number("major_radius"), o.number("minor_radius"));
}

SolidPointer band(const Options& o) {
  const double radius = o.number("radius"), width = o.number("width"), thickness = o.number("thickness");
  if (!(0.5 * std::hypot(width, thickness) < radius)) {
    throw Error("a section of {} x {} m does not fit into a ring of radius {} m", width, thickness, radius);
  }
  return make_band(radius, width, thickness, o.integer("half_turns"));
}

Mat3 rotation_of(const Options& o) {
  return Eigen::AngleAxisd(kDegree * o.number("rotate_degrees"), direction(o, "rotate_axis")).toRotationMatrix();
}

SolidPointer transform(const Options& o) {
  return make_transformed(body_of(o), {o.number("scale"), rotation_of(o), o.vec3("translate")});
}

SolidPointer repeat(const Options& o) {
  const SolidPointer body = body_of(o);
  const Mat3 rotation = rotation_of(o);
  std::vector<SolidPointer> copies{body};
  Similarity total;
  for (int i = 1; i < o.integer("count"); ++i) {
    total.rotation = rotation * total.rotation;
    total.shift = rotation * total.shift + o.vec3("translate");
    copies.push_back(make_transformed(body, total));
  }
  return make_union(std::move(copies));
}

SolidPointer difference(const Options& o) {
  return make_difference(body_of(o), parts_of(o, "without"), o.number("blend"));
}

Option part(const std::string& doc) { return Option::item("of", "shape", shape_rows, doc); }
Option parts(const std::string& key, const std::string& doc) { return Option::items(key, "shape", shape_rows, doc); }
Option blend(const std::string& doc) { return Option::number("blend", "m", doc).at_least(0).with_default(0.0); }
Option center() { return Option::vec3("center", "m", "center").with_default(Vec3(0, 0, 0)); }
Option from() { return Option::vec3("from", "m", "middle of one end"); }
Option to() { return Option::vec3("to", "m", "middle of the other end"); }
Option radius(const std::string& doc) { return Option::number("radius", "m", doc).above(0); }

std::vector<Option> motion(std::vector<Option> first) {
  first.push_back(
      Option::vec3("rotate_axis", "", "axis of the rotation, through the origin").with_default(Vec3(0, 1, 0)));
  first.push_back(Option::number("rotate_degrees", "deg", "angle of the rotation").with_default(0.0));
  first.push_back(Option::vec3("translate", "m", "shift after the rotation").with_default(Vec3(0, 0, 0)));
  first.push_back(part("the solid"));
  return first;
}

}  // namespace

const std::vector<ShapeEntry>& implicit_shapes() {
  static const std::vector<ShapeEntry> table = {
      {{"sphere", "a ball", {center(), radius("radius")}},
       [](const Options& o) { return make_sphere(o.vec3("center"), o.number("radius")); }},
      {{"ellipsoid", "a ball stretched along the axes", {center(), Option::vec3("radii", "m", "half axes").above(0)}},
       [](const Options& o) { return make_ellipsoid(o.vec3("center"), o.vec3("radii")); }},
      {{"box", "a box with faces along the axes", {center(), Option::vec3("size", "m", "edge lengths").above(0)}},
       [](const Options& o) { return make_cuboid(o.vec3("center"), o.vec3("size")); }},
      {{"cylinder", "a round rod with flat ends", {from(), to(), radius("radius")}}, cylinder},
      {{"cone",
        "a cone, or the stump of one, with flat ends",
        {from(), to(), radius("radius at \"from\""),
         Option::number("end_radius", "m", "radius at \"to\"; 0 for a tip").at_least(0).with_default(0.0)}},
       cone},
      {{"capsule",
        "a rod with round ends: limbs, fingers, beams",
        {from(), to(), radius("radius at \"from\""),
         Option::number("end_radius", "m", "radius at \"to\"; the same if left out").at_least(0).optional()}},
       capsule},
      {{"tube",
        "rods with round ends from point to point: tails, necks, branches",
        {Option::vec3s("points", "m", "the points that it passes"),
         Option::numbers("radii", "m", "the radius at each point, or one for all").at_least(0)}},
       tube},
      {{"torus",
        "a ring",
        {center(), Option::vec3("axis", "", "direction of the hole").with_default(Vec3(0, 1, 0)),
         Option::number("major_radius", "m", "radius of the center circle").above(0),
         Option::number("minor_radius", "m", "radius of the tube").above(0)}},
       torus},
      {{"band",
        "a flat strip around the z axis that turns over on the way round; one half turn is a Moebius band",
        {radius("radius of the center circle"), Option::number("width", "m", "width of the strip").above(0),
         Option::number("thickness", "m", "thickness of the strip").above(0),
         Option::integer("half_turns", "half turns on one way round").at_least(-12).at_most(12).with_default(1.0)}},
       band},
      {{"union",
        "what belongs to any of the parts",
        {parts("parts", "the solids"), blend("surfaces nearer to each other than this melt together")}},
       [](const Options& o) { return make_union(parts_of(o, "parts"), o.number("blend")); }},
      {{"intersection",
        "what belongs to all of the parts",
        {parts("parts", "the solids"), blend("how wide edges are rounded off")}},
       [](const Options& o) { return make_intersection(parts_of(o, "parts"), o.number("blend")); }},
      {{"difference",
        "a solid with others taken away from it",
        {part("the solid"), parts("without", "what is taken away"), blend("how wide edges are rounded off")}},
       difference},
      {{"offset",
        "a solid with a layer put on or taken off",
        {part("the solid"), Option::number("by", "m", "thickness of the layer, negative to take off")}},
       [](const Options& o) { return make_offset(body_of(o), o.number("by")); }},
      {{"transform", "a solid scaled, then rotated, then shifted",
        motion({Option::number("scale", "", "factor on all lengths").above(0).with_default(1.0)})},
       transform},
      {{"repeat", "copies of a solid, each rotated and shifted against the one before",
        motion({Option::integer("count", "how many, the solid itself included").at_least(1).at_most(1000)})},
       repeat},
      {{"mirror",
        "a solid and its image in the plane through the origin",
        {Option::choice("axis", {"x", "y", "z"}, "axis across the plane").with_default("x"), part("the solid")}},
       [](const Options& o) { return make_mirrored(body_of(o), axis_of(o)); }},
      {{"twist",
        "a solid wrung about an axis through the origin",
        {Option::choice("axis", {"x", "y", "z"}, "the axis").with_default("y"),
         Option::number("degrees_per_meter", "deg/m", "how fast it turns along the axis"), part("the solid")}},
       [](const Options& o) { return make_twisted(body_of(o), axis_of(o), kDegree * o.number("degrees_per_meter")); }},
      {{"bend",
        "a solid whose x axis is bent to a circle, towards y",
        {radius("radius of the circle"), part("the solid")}},
       [](const Options& o) { return make_bent(body_of(o), o.number("radius")); }},
  };
  return table;
}

const std::vector<Entry>& shape_rows() {
  static const std::vector<Entry> rows(implicit_shapes().begin(), implicit_shapes().end());
  return rows;
}

SolidPointer make_shape(const Item& item) {
  SolidPointer solid;
  try {
    solid = find_row(implicit_shapes(), "shape", item.name).make(item.options);
  } catch (const Error& error) {
    if (std::string(error.what()).starts_with(item.path)) throw;
    throw Error("{}: {}", item.path, error.what());
  }
  if (solid->cost() > kMostParts) {
    throw Error("{}: is made of more than {} simple shapes, too many to be asked for at every point", item.path,
                kMostParts);
  }
  return solid;
}

}  // namespace brio

// The keys of "contact" and of obstacles.

#include "brio/scene/object_schema.hpp"

namespace brio {

ObjectSchema contact_schema() {
  const ObjectSchema pair{
      {value(Option::names("between", "the two: names of bodies, or of sets of vertices where they are ignored")),
       value(Option::boolean("ignore", "whether they pass through each other").with_default(false)),
       value(Option::number("friction", "", "Coulomb's coefficient between them, in place of the one of all")
                 .at_least(0)
                 .optional()),
       value(Option::number("static_friction", "", "of what holds between them; as \"friction\" if left out")
                 .at_least(0)
                 .optional())},
      {},
      {}};
  Field pairs;
  pairs.form = Field::Form::list;
  pairs.key = "pairs";
  pairs.doc = "what is different between two of the bodies";
  pairs.shape = pair;
  return {{value(Option::boolean("self", "whether bodies touch themselves, too").with_default(true)),
           value(Option::number("distance", "m",
                                "gap between two surfaces below which they push each other; if left out, a tenth of "
                                "the edges of the finer one")
                     .above(0)
                     .optional()),
           value(Option::number("stiffness", "Pa/m",
                                "pressure per depth of contact; if left out, the softer body's modulus over an edge "
                                "length")
                     .above(0)
                     .optional()),
           value(Option::number("thickness", "m", "of cloth and ropes: their surface is half of it away from them")
                     .at_least(0)
                     .with_default(0.0)),
           value(Option::number("friction", "", "Coulomb's coefficient between bodies").at_least(0).with_default(0.0)),
           value(Option::number("static_friction", "",
                                "coefficient up to which what lies is held, where it is more than that of what slides")
                     .at_least(0)
                     .optional()),
           value(Option::boolean("guarantee",
                                 "no step ends with an intersection that was not there before; without it bodies that "
                                 "are fast, or begin in each other, may pass through each other")
                     .with_default(true)),
           value(Option::boolean("untangle",
                                 "bodies that begin through each other, inside each other or without a gap are moved "
                                 "apart, each as a whole, and it is said by how much")
                     .with_default(false)),
           pairs},
          {},
          {}};
}

ObjectSchema transform_schema() {
  return {
      {value(Option::number("scale", "", "factor on all lengths").above(0).with_default(1.0)),
       value(Option::vec3("rotate_axis", "", "axis of the rotation, through the origin").with_default(Vec3(0, 1, 0))),
       value(Option::number("rotate_degrees", "deg", "angle of the rotation").with_default(0.0)),
       value(Option::vec3("translate", "m", "shift").with_default(Vec3(0, 0, 0)))},
      {},
      {}};
}

Variant motion_variant(const SceneTables& tables, const std::string& tag, const std::string& doc, const std::string& fallback) {
  return {tag, "motion", doc, tables.motions, fallback};
}

ObjectSchema obstacle_schema(const SceneTables& tables) {
  const ObjectSchema moving{{}, {motion_variant(tables, "name", "how it moves", "")}, {}};
  const ObjectSchema surface{
      {object("transform", "applied to the points before anything else: scale, then rotate, then translate",
              transform_schema())},
      {{"file",
        "",
        "a file of triangles or tetrahedra, of any format that meshes have; the surface may be closed or open; the path "
        "is relative to the scene file",
        {},
        ""},
       {"generate", "generator", "the surface of a tetrahedral mesh made here", tables.generators, ""},
       {"springs", "spring generator", "an open surface made here: a cloth that is stiff", tables.spring_generators, ""}},
      {}};
  return {{value(Option::number(
                     "stiffness", "Pa/m",
                     "pressure against what enters, per depth; if left out, the body's modulus over an edge length")
                     .above(0)
                     .optional()),
           value(Option::number("friction", "",
                                "Coulomb's coefficient: what lies on it is held by up to this times the contact force, "
                                "and what slides on it is slowed by as much")
                     .at_least(0)
                     .with_default(0.0)),
           value(Option::number("tangential", "",
                                "share of the stiffness that resists sliding during a step; it stores no energy, for "
                                "the step after it counts from a new place")
                     .at_least(0)
                     .at_most(1)
                     .with_default(0.0)),
           object("mesh", "of the shape \"mesh\": the surface that bodies touch, from both sides", surface),
           object("motion", "how the obstacle moves; it stands still if left out", moving)},
          {{"shape", "obstacle", "its shape", tables.obstacles, ""}},
          {}};
}

}  // namespace brio

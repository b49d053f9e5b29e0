#include "brio/mesh/generators/implicit_mesh.hpp"
#include "brio/scene/object_schema.hpp"

#include <fmt/format.h>

#include <limits>

namespace brio {

static Field of_form(Field::Form form, std::string key, std::string doc, ObjectSchema shape) {
  Field field;
  field.form = form;
  field.key = std::move(key);
  field.doc = std::move(doc);
  field.shape = std::move(shape);
  return field;
}

Field value(Option option) { return any_of({std::move(option)}); }

Field object(std::string key, std::string doc, ObjectSchema shape) {
  return of_form(Field::Form::object, std::move(key), std::move(doc), std::move(shape));
}

namespace {

Field list(std::string key, std::string doc, ObjectSchema shape) {
  return of_form(Field::Form::list, std::move(key), std::move(doc), std::move(shape));
}

Field map(std::string key, std::string doc, ObjectSchema shape) {
  return of_form(Field::Form::map, std::move(key), std::move(doc), std::move(shape));
}

Field empty_if_absent(Field field) {
  field.empty_if_absent = true;
  return field;
}

Field required(Field field) {
  field.required = true;
  return field;
}

Field set_name(const std::string& doc) { return value(Option::text("set", doc)); }

ObjectSchema mesh_shape(const SceneTables& tables) {
  return {
      {object("transform", "applied to the points before anything else: scale, then rotate, then translate",
              transform_schema()),
       value(Option::text("skin",
                          "a detailed surface that the tetrahedra carry, drawn and written in place of their own; a "
                          "file (.obj with texture and groups, .stl, .ply, .off), its path relative to the scene "
                          "file, its points placed as the mesh's before the transform")
                 .optional()),
       value(Option::integer("order",
                             "1: linear tetrahedra; 2: quadratic ones, with a vertex on each edge, which bend and "
                             "keep their volume as they should; a file of second order has 2 of itself, all else 1")
                 .at_least(1)
                 .at_most(2)
                 .optional()),
       value(Option::integer("refine", "how often each tetrahedron is divided into eight; the shape stays as it is")
                 .at_least(0)
                 .at_most(6)
                 .with_default(0.0))},
      {{"generate", "generator", "a tetrahedral mesh made here", tables.generators, ""},
       {"file", "", "a mesh file of tetrahedra; the path is relative to the scene file", {}, ""},
       {"surface",
        "",
        "a file with a closed surface (.obj, .stl, .ply, .off …), filled with tetrahedra when the scene is built; the "
        "path is relative to the scene file",
        {},
        "",
        target_options(fmt::format("{}", kDefaultVertices))},
       {"springs", "spring generator", "points joined by springs: cloth or rope", tables.spring_generators, ""}},
      {}};
}

ObjectSchema material_shape(const SceneTables& tables) {
  const ObjectSchema active{
      {value(Option::number("stress", "Pa", "tension at full activation and the best length").above(0)),
       value(Option::number("width", "", "stretches from 1 - width to 1 + width pull, those near 1 most")
                 .above(0)
                 .at_most(1)
                 .with_default(0.5)),
       value(Option::pairs("activation", "s, 1", "pairs (time, activation from 0 to 1), straight lines in between"))},
      {},
      {}};
  const ObjectSchema graded{
      {value(Option::choice("axis", {"x", "y", "z"}, "along which it changes").with_default("x")),
       value(Option::number("from", "m", "one place")), value(Option::number("to", "m", "the other")),
       value(Option::number("factor_from", "", "on the stiffness at the one place, and on that side of it")
                 .above(0)
                 .with_default(1.0)),
       value(Option::number("factor_to", "", "on the stiffness at the other; evenly in between").above(0))},
      {},
      {}};
  const ObjectSchema fiber{{object("active", "muscle: the fibers pull when they are activated", active),
                            value(Option::vec3("direction", "",
                                               "fiber direction at rest, of any length; may be left out when "
                                               "the mesh has fibers")
                                      .optional())},
                           {{"law", "fiber law", "how the fibers resist", tables.fiber_laws, ""}},
                           {}};
  const std::string region = "the regions it fills: a number, a list, the name of a group in the mesh file, or \"all\"";
  return {
      {any_of({Option::text("region", region).with_default("all"), Option::integer("region", region).at_least(0),
               Option::integers("region", region).at_least(0)}),
       value(Option::number("rho", "kg/m^3", "density").above(0)),
       object("fiber", "fibers that reinforce the material", fiber),
       object("graded", "stiffness that changes along an axis, as towards a tendon; not that of the fibers", graded)},
      {{"law", "isotropic law", "how the material resists", tables.isotropic_laws, ""}},
      {}};
}

ObjectSchema springs_shape() {
  const ObjectSchema patch{{set_name("the springs with both ends in it"),
                            value(Option::number("factor", "", "on the stiffness of all kinds of springs").above(0))},
                           {},
                           {}};
  return {{value(Option::number("stiffness", "N/m", "of the structural springs").above(0)),
           value(Option::number("shear_stiffness", "N/m", "of the diagonal springs; as `stiffness` if left out")
                     .at_least(0)
                     .optional()),
           value(Option::number("bend_stiffness", "N/m", "of the springs over two cells; as `stiffness` if left out")
                     .at_least(0)
                     .optional()),
           value(Option::number("vertex_mass", "kg", "mass of each vertex").above(0).optional()),
           value(Option::number("total_mass", "kg", "mass of the whole net, shared equally").above(0).optional()),
           list("patches", "parts that are softer or stiffer; where two share a spring, the later one wins", patch)},
          {},
          {{"vertex_mass", "total_mass"}}};
}

ObjectSchema bone_shape(const SceneTables& tables) {
  const ObjectSchema joint{{}, {{"kind", "joint", "how it moves against its parent", tables.joints, "fixed"}}, {}};
  return {{value(Option::text("parent", "the bone it hangs on; the world if left out").with_default("")),
           value(Option::number("density", "kg/m^3", "of all its volume").above(0).with_default(1000.0)),
           value(Option::number("mass", "kg", "in place of a density").above(0).optional()),
           value(Option::vec3("center_of_mass", "m", "in place of the shape's").optional()),
           value(Option::vec3("inertia", "kg m^2",
                              "moments about x, y and z through the center of mass, in place of "
                              "the shape's")
                     .above(0)
                     .optional()),
           value(Option::text("tissue", "the set of vertices of the mesh that it carries").optional()),
           empty_if_absent(object("joint", "what it hangs by", joint))},
          {{"shape", "bone shape", "what it looks like, and how its mass is spread", tables.bone_shapes, ""}},
          {}};
}

ObjectSchema cut_shape(const SceneTables& tables) {
  return {
      {value(Option::number("time", "s", "when: at the end of the first step that reaches it").at_least(0)),
       value(Option::text("body", "which of several bodies; every one of tetrahedra if left out").optional()),
       value(Option::choice("through", {"elements", "faces"},
                            "subdivide the tetrahedra that the surface meets, or part them along their faces nearby")
                 .with_default("elements")),
       value(Option::choice("frame", {"rest", "current"}, "in which shape of the body the surface is given")
                 .with_default("rest")),
       value(Option::number("snap", "",
                            "through elements: vertices nearer to the surface than this part of an edge are taken "
                            "to be on it, so that there are no slivers")
                 .at_least(0.01)
                 .at_most(0.5)
                 .with_default(0.1))},
      {{"kind", "cut", "the surface", tables.cuts, ""}},
      {}};
}

ObjectSchema damping_shape() {
  return {{value(Option::number("alpha", "1/s", "factor on the mass").at_least(0).with_default(0.0)),
           value(Option::number("beta", "s", "factor on the stiffness").at_least(0).with_default(0.0)),
           value(Option::choice("stiffness", {"rest", "current"}, "which stiffness: at rest, or of the current shape")
                     .with_default("rest")),
           value(Option::number("deformation", "1/s",
                                "rate at which velocities other than the rigid motion of each piece decay, after each "
                                "step of any integrator")
                     .at_least(0)
                     .with_default(0.0))},
          {},
          {}};
}

ObjectSchema condensation_shape(const SceneTables& tables) {
  const ObjectSchema nodes{{}, {{"choose", "node chooser", "how they are chosen", tables.node_choosers, ""}}, {}};
  const ObjectSchema adaptive{
      {value(Option::number("threshold", "1/s", "mean rate of stretching around a node from which on it is dynamic")
                 .at_least(0)
                 .with_default(0.02)),
       value(Option::integer("window", "steps over which the rate is averaged")
                 .at_least(1)
                 .at_most(1000)
                 .with_default(10.0)),
       value(Option::number("hysteresis", "", "a dynamic node falls asleep below (1 - this) times the threshold")
                 .at_least(0)
                 .at_most(1)
                 .with_default(0.0))},
      {},
      {}};
  return {{required(object("nodes", "the dynamic nodes", nodes)),
           value(Option::number("gamma", "", "part of the Newton step towards rest that the others take in a step")
                     .at_least(0)
                     .at_most(1)
                     .with_default(1.0 / 3)),
           value(Option::choice("quasistatic", {"step", "newton"},
                                "the others go part of the way to rest (gamma), or all of it with Newton's method")
                     .with_default("step")),
           value(Option::boolean("initial", "whether the others begin at rest").with_default(true)),
           object("adaptive", "nodes are dynamic only while the body around them is lively", adaptive)},
          {},
          {}};
}

ObjectSchema initial_shape() {
  return {
      {value(Option::vec3("velocity", "m/s", "of the whole body").with_default(Vec3(0, 0, 0))),
       value(Option::vec3("angular_velocity", "rad/s", "about the center of mass").with_default(Vec3(0, 0, 0))),
       value(Option::vec3("stretch", "", "factors along x, y, z about the centroid")
                 .above(0)
                 .with_default(Vec3(1, 1, 1))),
       value(Option::number("twist_degrees", "deg", "angle between the two ends, growing linearly along the axis")
                 .with_default(0.0)),
       value(
           Option::choice("twist_axis", {"x", "y", "z"}, "axis of the twist, through the centroid").with_default("x")),
       value(Option::number("jitter", "m", "largest random displacement of a vertex along each axis")
                 .at_least(0)
                 .with_default(0.0)),
       value(Option::integer("seed", "of the random displacements").at_least(0).with_default(1.0))},
      {},
      {}};
}

ObjectSchema output_shape(const SceneTables& tables) {
  Option frames =
      Option::names("frames", "which files to write for each frame; [] for none", names_of(tables.frame_formats));
  const std::string probe = "the vertex, or the set, whose (mean) path goes into probe.csv";
  std::vector<std::string> first;
  if (!tables.frame_formats.empty()) first.push_back(tables.frame_formats[0].name);
  return {
      {value(Option::integer("every",
                             "steps from frame to frame; if left out, the least that gives at most 60 "
                             "frames per simulated second")
                 .at_least(1)
                 .optional()),
       value(std::move(frames).with_default(first)),
       value(Option::boolean("stress",
                             "whether frames of tetrahedra (vtu, msh, npz) have Cauchy stress, von Mises' measure and "
                             "principal stretches, of cells and vertices, and the page the stretches; it has von "
                             "Mises' anyhow")
                 .with_default(false)),
       any_of({Option::text("probe", probe).optional(), Option::integer("probe", probe).at_least(0)})},
      {},
      {}};
}

/// The keys that describe a body: in "bodies", or at the top of a scene that has one body.
std::vector<Field> body_fields(const SceneTables& tables) {
  const ObjectSchema set{
      {}, {{"select", "selector", "which vertices, by their place after the transform", tables.selectors, ""}}, {}};
  std::vector<Field> fields = {
      object("mesh", "the body; one of bones alone has none", mesh_shape(tables)),
      list("materials", "what a tetrahedral body is made of; where two entries name a region, the later one wins",
           material_shape(tables)),
      object("springs", "stiffness and mass of a spring net", springs_shape()),
      map("sets", "named sets of vertices, for the other sections", set),
      empty_if_absent(object("initial", "how the body begins, other than at rest in its rest shape", initial_shape()))};
  if (!tables.bone_shapes.empty())
    fields.push_back(
        map("bones", "rigid bodies in a tree of joints, described in a pose of your choice", bone_shape(tables)));
  return fields;
}

ObjectSchema body_shape(const SceneTables& tables) {
  const ObjectSchema copies{
      {value(Option::integers("count", "how many along x, y and z: three numbers").at_least(1).at_most(10000)),
       value(Option::vec3("spacing", "m", "from one to the next along x, y and z"))},
      {},
      {}};
  ObjectSchema body{body_fields(tables), {}, {}};
  body.fields.push_back(object("transform",
                               "into the world: scale, then rotate, then translate; the places in the body's sets, "
                               "materials and bones are those before it",
                               transform_schema()));
  body.fields.push_back(
      value(Option::text("instance_of", "another body: all that is not given here is as there, the mesh included")
                .optional()));
  body.at_least_one = {"mesh", "instance_of"};
  if (!tables.bone_shapes.empty()) body.at_least_one.push_back("bones");
  body.fields.push_back(object("copies", "a grid of bodies like this one, named NAME-1, NAME-2 …", copies));
  return body;
}

}  // namespace

ObjectSchema scene_object_schema(const SceneTables& tables) {
  const ObjectSchema constraint{
      {set_name("the vertices that are led")}, {motion_variant(tables, "motion", "how they are led", "fixed")}, {}};
  const ObjectSchema attachment{{set_name("the vertices that are pulled"),
                                 value(Option::number("stiffness", "N/m", "of the spring at each vertex").above(0)),
                                 value(Option::text("to",
                                                    "another body, or a set of one, that each vertex is tied to where "
                                                    "it is nearest at rest; places in the world if left out")
                                           .optional())},
                                {motion_variant(tables, "motion", "how the targets move", "fixed")},
                                {}};
  const ObjectSchema load{{value(Option::text("set", "the vertices it acts on; all if left out").optional())},
                          {{"load", "load", "the kind of force", tables.loads, ""}},
                          {}};
  const ObjectSchema energy{{value(Option::text("set", "the vertices that have it; all if left out").optional())},
                            {{"kind", "energy", "which energy", tables.energies, ""}},
                            {}};
  const ObjectSchema integrator{
      {value(Option::number("h", "s", "time step").above(0)),
       value(Option::choice("engine", names_of(tables.engines),
                            "how the matrices of the steps are solved with; see docs/engines.md")
                 .with_default("direct")),
       value(Option::number("engine_tolerance", "",
                            "error of a solution of engines that iterate, as a share of it in "
                            "the norm of energy; the engine's own if left out")
                 .above(0)
                 .below(1)
                 .optional())},
      {{"name", "integrator", "the method", tables.integrators, ""}},
      {}};
  ObjectSchema scene{
      {value(Option::text("$schema", "where editors find the JSON schema; brio itself does not read it").optional()),
       value(Option::text("name", "what the scene is called; the file's name if left out").optional()),
       value(Option::text("description", "what there is to see").with_default(""))},
      {},
      {{"duration", "steps"}},
      {"mesh", "bodies"}};
  if (!tables.bone_shapes.empty()) scene.at_least_one.push_back("bones");
  const auto add = [&](Field field) { scene.fields.push_back(std::move(field)); };
  for (Field& field : body_fields(tables)) add(std::move(field));
  add(map("bodies",
          "several bodies by name, each with the keys that describe one (mesh, materials, springs, bones, sets, "
          "initial); their sets are called \"body.set\" elsewhere, and all vertices of one \"body\"",
          body_shape(tables)));
  add(list("constraints", "vertices whose motion is given", constraint));
  add(list("attachments",
           "vertices pulled by springs of rest length zero towards their (moving) rest places, or to another body",
           attachment));
  add(value(Option::vec3("gravity", "m/s^2", "acceleration of gravity").with_default(Vec3(0, -9.81, 0))));
  add(list("obstacles", "bodies that push vertices out", obstacle_schema(tables)));
  add(object("contact", "bodies touch each other and themselves; without it they pass through each other",
             contact_schema()));
  add(list("loads", "forces from outside", load));
  add(list("energies", "potential energies besides those of materials, gravity, attachments and obstacles", energy));
  add(list("cuts", "cuts of a tetrahedral body, one after the other", cut_shape(tables)));
  add(empty_if_absent(
      object("damping", "Rayleigh damping D = alpha M + beta K, and damping of deformation", damping_shape())));
  add(object("condensation",
             "a few vertices move dynamically and the others follow quasistatically; see docs/conjac.md",
             condensation_shape(tables)));
  add(required(object("integrator", "the time-stepping method and its step", integrator)));
  add(value(Option::number("duration", "s", "how long to simulate, rounded to whole steps").above(0).optional()));
  add(value(Option::integer("steps", "how many steps to simulate")
                .at_least(1)
                .at_most(std::numeric_limits<int>::max())
                .optional()));
  add(empty_if_absent(object("output", "what is written", output_shape(tables))));
  return scene;
}

}  // namespace brio

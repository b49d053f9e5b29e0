#include "brio/core/error.hpp"
#include "brio/core/printable.hpp"
#include "brio/core/text_file.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/scene/cross_checks.hpp"
#include "brio/scene/json_text.hpp"
#include "brio/scene/object_schema.hpp"
#include "brio/scene/overrides.hpp"
#include "brio/scene/parsed_object.hpp"
#include "brio/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace brio {
namespace {

constexpr std::uintmax_t kLongestSceneFile = std::uintmax_t{64} << 20;  // [byte]

constexpr double kMostFramesPerSecond = 60;  // a screen shows no more

Item item_of(const ParsedObject& record) { return {record.row, record.options, record.path, ""}; }

template <class T>
std::optional<T> optional_of(const ParsedObject& record, const std::string& field) {
  if (!record.has(field)) return {};
  return record.get<T>(field);
}

int integer_of(const ParsedObject& record, const std::string& field) {
  return static_cast<int>(record.get<double>(field));
}

std::optional<Transform> transform_of(const ParsedObject& record) {
  const ParsedObject* t = record.one("transform");
  if (!t) return {};
  return Transform{t->get<double>("scale"), t->get<Vec3>("rotate_axis"), t->get<double>("rotate_degrees"),
                   t->get<Vec3>("translate")};
}

MeshSpec mesh_of(const ParsedObject& record, const std::filesystem::path& scene_file) {
  MeshSpec mesh;
  if (record.tag == "file") {
    mesh.source = MeshSpec::Source::file;
    mesh.file = beside(scene_file, record.row);
  } else if (record.tag == "surface") {
    mesh.source = MeshSpec::Source::surface;
    mesh.file = beside(scene_file, record.row);
    mesh.generator = item_of(record);
  } else {
    mesh.source = record.tag == "springs" ? MeshSpec::Source::springs : MeshSpec::Source::generate;
    mesh.generator = item_of(record);
  }
  mesh.transform = transform_of(record);
  if (record.has("skin")) mesh.skin = beside(scene_file, record.get<std::string>("skin"));
  if (record.has("order")) mesh.order = integer_of(record, "order");
  if (record.has("refine")) mesh.refine = integer_of(record, "refine");
  return mesh;
}

FiberSpec fiber_of(const ParsedObject& record) {
  FiberSpec fiber{item_of(record), optional_of<Vec3>(record, "direction"), {}};
  if (const ParsedObject* active = record.one("active"))
    fiber.active = ActiveSpec{active->get<double>("stress"), active->get<double>("width"),
                              active->get<std::vector<Pair>>("activation")};
  return fiber;
}

MaterialSpec material_of(const ParsedObject& record) {
  MaterialSpec material{{}, "", item_of(record), record.get<double>("rho"), {}, {}};
  const OptionValue& region = record.values.at("region");
  if (const auto* name = std::get_if<std::string>(&region)) material.region_name = *name;
  if (const auto* number = std::get_if<double>(&region)) material.regions = {static_cast<int>(*number)};
  if (const auto* numbers = std::get_if<std::vector<double>>(&region))
    material.regions.assign(numbers->begin(), numbers->end());
  if (const ParsedObject* fiber = record.one("fiber")) material.fiber = fiber_of(*fiber);
  if (const ParsedObject* graded = record.one("graded"))
    material.graded = GradedSpec{graded->get<std::string>("axis")[0] - 'x',
                                 graded->get<double>("from"),
                                 graded->get<double>("to"),
                                 {graded->get<double>("factor_from"), graded->get<double>("factor_to")}};
  return material;
}

SpringSpec springs_of(const ParsedObject& record) {
  const double stiffness = record.get<double>("stiffness");
  SpringSpec springs{stiffness,
                     optional_of<double>(record, "shear_stiffness").value_or(stiffness),
                     optional_of<double>(record, "bend_stiffness").value_or(stiffness),
                     optional_of<double>(record, "vertex_mass"),
                     optional_of<double>(record, "total_mass"),
                     {}};
  for (const ParsedObject& r : record.all("patches"))
    springs.patches.push_back({r.get<std::string>("set"), r.get<double>("factor")});
  return springs;
}

BoneSpec bone_of(const ParsedObject& record) {
  return {record.key,
          item_of(record),
          record.get<double>("density"),
          optional_of<double>(record, "mass"),
          optional_of<Vec3>(record, "center_of_mass"),
          optional_of<Vec3>(record, "inertia"),
          record.get<std::string>("parent"),
          item_of(*record.one("joint")),
          optional_of<std::string>(record, "tissue")};
}

SetSpec set_of(const ParsedObject& record) { return {record.key, item_of(record)}; }

ObstacleSpec obstacle_of(const ParsedObject& record, const std::filesystem::path& scene_file) {
  ObstacleSpec obstacle{item_of(record),
                        {},
                        optional_of<double>(record, "stiffness"),
                        {},
                        record.get<double>("friction"),
                        record.get<double>("tangential")};
  if (const ParsedObject* mesh = record.one("mesh")) obstacle.mesh = mesh_of(*mesh, scene_file);
  if (const ParsedObject* motion = record.one("motion")) obstacle.motion = item_of(*motion);
  return obstacle;
}

ContactSpec contact_of(const ParsedObject& record) {
  ContactSpec contact{true,
                      record.get<bool>("self"),
                      optional_of<double>(record, "distance"),
                      optional_of<double>(record, "stiffness"),
                      record.get<double>("thickness"),
                      record.get<double>("friction"),
                      optional_of<double>(record, "static_friction"),
                      record.get<bool>("guarantee"),
                      record.get<bool>("untangle"),
                      {}};
  for (const ParsedObject& r : record.all("pairs")) {
    const auto& between = r.get<std::vector<std::string>>("between");
    contact.pairs.push_back(
        {between[0], between[1], r.get<bool>("ignore"), optional_of<double>(r, "friction"),
         optional_of<double>(r, "static_friction"), r.path});
  }
  return contact;
}

CutSpec cut_of(const ParsedObject& record) {
  return {item_of(record),
          record.get<double>("time"),
          record.get<std::string>("through") == "faces",
          record.get<std::string>("frame") == "current",
          record.get<double>("snap"),
          optional_of<std::string>(record, "body")};
}

DampingSpec damping_of(const ParsedObject& record) {
  return {record.get<double>("alpha"), record.get<double>("beta"), record.get<std::string>("stiffness") == "current",
          record.get<double>("deformation")};
}

CondensationSpec condensation_of(const ParsedObject& record) {
  CondensationSpec spec;
  spec.nodes = item_of(*record.one("nodes"));
  spec.gamma = record.get<double>("gamma");
  spec.newton = record.get<std::string>("quasistatic") == "newton";
  spec.initial = record.get<bool>("initial");
  if (const ParsedObject* adaptive = record.one("adaptive"))
    spec.adaptive = AdaptiveSpec{adaptive->get<double>("threshold"), integer_of(*adaptive, "window"),
                                 adaptive->get<double>("hysteresis")};
  return spec;
}

InitialSpec initial_of(const ParsedObject& record) {
  return {
      record.get<Vec3>("velocity"),        record.get<Vec3>("angular_velocity"),           record.get<Vec3>("stretch"),
      record.get<double>("twist_degrees"), record.get<std::string>("twist_axis")[0] - 'x', record.get<double>("jitter"),
      integer_of(record, "seed")};
}

/// Puts what the record gives in the place of what the body had.
void read_body(const ParsedObject& record, const std::filesystem::path& file, BodySpec& body) {
  if (const ParsedObject* r = record.one("mesh")) body.mesh = mesh_of(*r, file);
  const auto replace = [&](const char* key, auto& list, const auto& make) {
    if (!record.given.contains(key)) return;
    list.clear();
    for (const ParsedObject& r : record.all(key)) list.push_back(make(r));
  };
  replace("bones", body.bones, bone_of);
  replace("materials", body.materials, material_of);
  replace("sets", body.sets, set_of);
  if (const ParsedObject* r = record.one("springs")) body.springs = springs_of(*r);
  if (record.given.contains("initial")) body.initial = initial_of(*record.one("initial"));
  if (record.one("transform")) body.transform = transform_of(record);
}

/// The materials that the mesh file has, for a body whose scene names none: their density, E and nu in the law that
/// suits most bodies.
void take_materials_of_file(BodySpec& body) {
  if (body.mesh.source != MeshSpec::Source::file || !body.materials.empty()) return;
  constexpr const char* kLaw = "stable-neo-hookean";
  const std::string path = join_path(body.path, "materials");
  const LoadedMesh loaded = read_mesh(body.mesh.file);
  if (loaded.materials.empty()) {
    throw Error("{}: missing key, and {} says nothing of density, E and nu either; name a material", path,
                body.mesh.file.string());
  }
  for (const auto& [region, material] : loaded.materials) {
    const Options options(find_row(isotropic_laws(), "law", kLaw).options, {{"E", material.E}, {"nu", material.nu}},
                          path);
    body.materials.push_back({{region}, "", {kLaw, options, path, ""}, material.rho, {}, {}});
  }
}

/// The grid of bodies that "copies" asks for, or the body alone.
std::vector<BodySpec> copies_of(const BodySpec& body, const ParsedObject* copies) {
  if (!copies) return {body};
  std::vector<BodySpec> grid;
  const std::vector<double>& count = copies->get<std::vector<double>>("count");
  const Vec3 spacing = copies->get<Vec3>("spacing");
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x) {
        BodySpec& copy = grid.emplace_back(body);
        copy.name = fmt::format("{}-{}", body.name, grid.size());
        copy.group = body.name;
        if (!copy.transform) copy.transform.emplace();
        copy.transform->translate += Vec3(x, y, z).cwiseProduct(spacing);
      }
  return grid;
}

/// Bodies in the order of their names. An instance may come before the body that it is like.
class BodyReader {
 public:
  BodyReader(const std::vector<ParsedObject>& records, const std::filesystem::path& file)
      : records_(records), file_(file) {}

  std::vector<BodySpec> read() {
    std::vector<BodySpec> bodies;
    std::map<std::string, size_t> with_mesh;  // the first body that has the mesh of each record
    for (const ParsedObject& record : records_) {
      const BodySpec like = read(record);
      for (BodySpec& body : copies_of(like, record.one("copies"))) {
        body.original = with_mesh.try_emplace(mesh_owner(record), bodies.size()).first->second;
        bodies.push_back(std::move(body));
      }
    }
    return bodies;
  }

 private:
  const ParsedObject& find(const std::string& name) const {
    return *std::find_if(records_.begin(), records_.end(), [&](const ParsedObject& r) { return r.key == name; });
  }

  BodySpec read(const ParsedObject& record) const {
    BodySpec body;
    body.mesh.source = MeshSpec::Source::none;
    if (record.has("instance_of")) body = read(find(record.get<std::string>("instance_of")));
    body.name = record.key;
    body.path = record.path;
    read_body(record, file_, body);
    take_materials_of_file(body);
    return body;
  }

  /// The body in whose record the mesh is.
  std::string mesh_owner(const ParsedObject& record) const {
    if (record.one("mesh") || !record.has("instance_of")) return record.key;
    return mesh_owner(find(record.get<std::string>("instance_of")));
  }

  const std::vector<ParsedObject>& records_;
  const std::filesystem::path& file_;
};

/// The fewest steps from frame to frame that give no more frames than a screen shows.
int default_stride(double h) {
  const double slack = 1e-9;  // keeps h = 1/60 at every step although 1 / (60 h) may come out a little above 1
  const double stride = std::ceil(1 / (kMostFramesPerSecond * h) - slack);
  return static_cast<int>(std::clamp(stride, 1.0, double{std::numeric_limits<int>::max()}));
}

OutputSpec output_of(const ParsedObject& record, double h) {
  OutputSpec output;
  output.frames = record.get<std::vector<std::string>>("frames");
  output.stress = record.get<bool>("stress");
  output.every = record.has("every") ? integer_of(record, "every") : default_stride(h);
  if (record.has("probe")) {
    const OptionValue& probe = record.values.at("probe");
    if (const auto* name = std::get_if<std::string>(&probe)) output.probe = *name;
    if (const auto* vertex = std::get_if<double>(&probe)) output.probe = static_cast<int>(*vertex);
  }
  return output;
}

Scene scene_of(const ParsedObject& root, const std::filesystem::path& file) {
  Scene scene;
  scene.file = file;
  scene.name = printable(optional_of<std::string>(root, "name").value_or(file.stem().string()));
  scene.description = printable(root.get<std::string>("description"));
  if (root.given.contains("bodies")) {
    scene.bodies = BodyReader(root.all("bodies"), file).read();
    for (const ParsedObject& r : root.all("sets")) scene.sets.push_back(set_of(r));
  } else {
    BodySpec& body = scene.bodies.emplace_back();
    body.mesh.source = MeshSpec::Source::none;
    read_body(root, file, body);
    take_materials_of_file(body);
  }
  for (const ParsedObject& r : root.all("constraints"))
    scene.constraints.push_back({r.get<std::string>("set"), item_of(r)});
  for (const ParsedObject& r : root.all("attachments"))
    scene.attachments.push_back(
        {r.get<std::string>("set"), r.get<double>("stiffness"), item_of(r), optional_of<std::string>(r, "to"), r.path});
  scene.gravity = root.get<Vec3>("gravity");
  for (const ParsedObject& r : root.all("obstacles")) scene.obstacles.push_back(obstacle_of(r, file));
  if (const ParsedObject* r = root.one("contact")) {
    scene.contact = contact_of(*r);
  } else if (std::any_of(scene.obstacles.begin(), scene.obstacles.end(), [](const auto& o) { return o.mesh; })) {
    scene.contact.emplace();
    scene.contact->between = scene.contact->self = false;
  }
  for (const ParsedObject& r : root.all("loads"))
    scene.loads.push_back({item_of(r), optional_of<std::string>(r, "set")});
  for (const ParsedObject& r : root.all("energies"))
    scene.energies.push_back({item_of(r), optional_of<std::string>(r, "set")});
  for (const ParsedObject& r : root.all("cuts")) scene.cuts.push_back(cut_of(r));
  scene.damping = damping_of(*root.one("damping"));
  if (const ParsedObject* r = root.one("condensation")) scene.condensation = condensation_of(*r);
  const ParsedObject& integrator = *root.one("integrator");
  scene.integrator = item_of(integrator);
  scene.h = integrator.get<double>("h");
  scene.engine = integrator.get<std::string>("engine");
  scene.engine_tolerance = optional_of<double>(integrator, "engine_tolerance").value_or(0);
  scene.engine_options = optional_of<std::string>(integrator, "engine_options").value_or("");
  scene.steps = root.has("steps") ? integer_of(root, "steps")
                                  : static_cast<int>(std::lround(root.get<double>("duration") / scene.h));
  scene.output = output_of(*root.one("output"), scene.h);
  return scene;
}

}  // namespace

Scene parse_scene(const std::string& text, const std::filesystem::path& file, const SceneTables& tables,
                  const std::vector<std::string>& overrides) {
  Json json = parse_json(text, file.string());
  if (!json.is_object()) throw Error("{}: expected an object {{…}}, found {}", file.string(), shorten(json.dump()));
  Problems problems(file.string());
  apply_overrides(json, overrides, tables, problems);
  const ObjectSchema shape = scene_object_schema(tables);
  const ParsedObject root = read_record(json, shape, "", problems);
  cross_check(root, file, problems);
  problems.throw_if_any();
  Scene scene = scene_of(root, file);
  scene.text = json.dump();
  return scene;
}

Scene load_scene(const std::filesystem::path& file, const SceneTables& tables,
                 const std::vector<std::string>& overrides) {
  return parse_scene(read_text(file, kLongestSceneFile), file, tables, overrides);
}

}  // namespace brio

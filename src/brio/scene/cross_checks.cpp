#include "brio/scene/cross_checks.hpp"

#include "brio/scene/mesh_obstacle.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/scene/body_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace brio {
namespace {

constexpr size_t kMostSets = 1000;  // more is no scene but an attack on the patience of the checks below

using Names = std::set<std::string>;

void check_set_name(const std::string& name, const std::string& path, const Names& known, Problems& problems) {
  if (known.contains(name) || problems.full()) return;
  std::vector<std::string> shown;
  for (const std::string& other : known) shown.push_back(shorten(other));
  problems.add(path, known.empty() ? fmt::format("unknown set \"{}\"; the scene has no \"sets\"", shorten(name))
                                   : unknown_name("set", shorten(name), shown));
}

/// Those who name sets of any body.
void check_set_names(const ParsedObject& scene, const Names& known, Problems& problems) {
  const auto check = [&](const ParsedObject& user, const char* key) {
    if (user.has(key)) check_set_name(user.get<std::string>(key), user.path + "." + key, known, problems);
  };
  for (const char* section : {"constraints", "attachments", "loads", "energies"})
    for (const ParsedObject& user : scene.all(section)) check(user, "set");
  for (const ParsedObject& attachment : scene.all("attachments")) check(attachment, "to");
  if (const ParsedObject* condensation = scene.one("condensation"))
    if (const ParsedObject* nodes = condensation->one("nodes"); nodes && nodes->options.has("set"))
      check_set_name(nodes->options.text("set"), nodes->path + ".set", known, problems);
  if (const ParsedObject* output = scene.one("output"); output && output->has("probe"))
    if (const auto* name = std::get_if<std::string>(&output->values.at("probe")))
      check_set_name(*name, "output.probe", known, problems);
}

/// Those who name sets of their own body, without its name.
void check_own_set_names(const ParsedObject& body, const Names& known, Problems& problems) {
  for (const ParsedObject& bone : body.all("bones"))
    if (bone.has("tissue")) check_set_name(bone.get<std::string>("tissue"), bone.path + ".tissue", known, problems);
  if (const ParsedObject* springs = body.one("springs"))
    for (const ParsedObject& patch : springs->all("patches"))
      if (patch.has("set")) check_set_name(patch.get<std::string>("set"), patch.path + ".set", known, problems);
}

const std::vector<std::string>& members(const ParsedObject& set) {
  static const std::vector<std::string> none;
  return set.row == "union" && set.options.has("sets") ? set.options.names("sets") : none;
}

/// The members of unions must exist, and no union may contain itself.
void check_unions(const ParsedObject& scene, const Names& known, Problems& problems) {
  std::map<std::string, bool> settled;  // sets of which all members are settled
  for (const ParsedObject& set : scene.all("sets")) {
    settled[set.key] = members(set).empty();
    for (const std::string& member : members(set)) check_set_name(member, set.path + ".sets", known, problems);
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (const ParsedObject& set : scene.all("sets")) {
      if (settled[set.key]) continue;
      const auto& parts = members(set);
      const auto is_settled = [&](const std::string& part) { return !settled.contains(part) || settled[part]; };
      if (std::all_of(parts.begin(), parts.end(), is_settled)) settled[set.key] = progress = true;
    }
  }
  for (const ParsedObject& set : scene.all("sets"))
    if (!settled[set.key]) problems.add(set.path, "this union contains itself, perhaps by way of another one");
}

Names own_sets(const BodyRecords& bodies, const ParsedObject& body) {
  Names known;
  for (const ParsedObject& set : bodies.all(body, "sets")) known.insert(set.key);
  return known;
}

void check_sets(const ParsedObject& scene, const BodyRecords& bodies, Problems& problems) {
  size_t sets = scene.all("sets").size();
  for (const ParsedObject* body : bodies.records())
    if (bodies.named()) sets += body->all("sets").size();
  if (sets > kMostSets) {
    problems.add("sets", fmt::format("expected at most {} sets, found {}", kMostSets, sets));
    return;
  }
  const Names known = bodies.set_names();
  if (bodies.named()) check_unions(scene, known, problems);
  for (const ParsedObject* body : bodies.records()) {
    const Names own = own_sets(bodies, *body);
    check_unions(*body, own, problems);
    check_own_set_names(*body, own, problems);
  }
  check_set_names(scene, known, problems);
}

void check_transform(const ParsedObject& record, Problems& problems) {
  const ParsedObject* transform = record.one("transform");
  if (transform && transform->has("rotate_axis") && transform->get<Vec3>("rotate_axis").norm() == 0)
    problems.add(transform->path + ".rotate_axis", "expected a direction other than zero", "[0, 0, 0]");
}

void check_instance(const BodyRecords& bodies, const ParsedObject& body, Problems& problems) {
  if (!body.has("instance_of") || bodies.model(body)) return;
  const std::string name = body.get<std::string>("instance_of");
  std::vector<std::string> known;
  for (const ParsedObject* other : bodies.records()) known.push_back(other->key);
  problems.add(body.path + ".instance_of", bodies.find(name)
                                               ? "this body is an instance of itself, perhaps by way of another one"
                                               : unknown_name("body", shorten(name), known));
}

/// Whether the mesh is a file of a format that has materials of its own.
bool may_bring_materials(const ParsedObject& mesh) {
  if (mesh.tag != "file") return false;
  try {
    return find_mesh_format(mesh.row).materials;
  } catch (const Error&) {
    return false;  // said elsewhere
  }
}

void check_file(const std::string& path, const std::string& name, const std::filesystem::path& scene_file,
                Problems& problems) {
  const std::filesystem::path file = beside(scene_file, name);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    problems.add(path, fmt::format("no such file; looked for {}", shorten(file.string(), 200)),
                 fmt::format("\"{}\"", shorten(name)));
}

void check_mesh(const BodyRecords& bodies, const ParsedObject& body, const std::filesystem::path& scene_file,
                Problems& problems) {
  const ParsedObject* mesh = bodies.one(body, "mesh");
  if (!mesh || mesh->tag.empty()) return;
  const auto at = [&](const char* key) { return join_path(body.path, key); };
  const bool net = mesh->tag == "springs";
  const bool materials = bodies.has(body, "materials"), springs = bodies.has(body, "springs");
  if (net && materials)
    problems.add(at("materials"), "a spring net has no materials; its constants go into \"springs\"");
  if (net && !springs) problems.add(at("springs"), "missing key: a spring net needs its stiffness and its mass");
  if (!net && springs)
    problems.add(at("springs"), "only a spring net (mesh.springs) has springs; a tetrahedral body has \"materials\"");
  if (!net && !materials && !may_bring_materials(*mesh))
    problems.add(at("materials"), "missing key: a tetrahedral body needs at least one material");
  if (!net && body.children.contains("materials") && body.all("materials").empty())
    problems.add(at("materials"), "expected at least one material");
  if (!body.given.contains("mesh")) return;  // the rest is said where the mesh is given
  for (const char* key : {"order", "refine"})
    if (net && mesh->given.contains(key))
      problems.add(mesh->path + "." + key, "a spring net has no tetrahedra; leave it out");

  if (mesh->tag == "file") check_file(at("mesh.file"), mesh->row, scene_file, problems);
  if (mesh->tag == "surface") check_file(at("mesh.surface"), mesh->row, scene_file, problems);
  if (mesh->has("skin")) check_file(at("mesh.skin"), mesh->get<std::string>("skin"), scene_file, problems);
  if (mesh->has("skin") && net) problems.add(at("mesh.skin"), "only tetrahedra carry a skin");
  check_transform(*mesh, problems);
}

/// A body that is cut must be one of tetrahedra alone.
void check_cuts(const ParsedObject& scene, const BodyRecords& bodies, Problems& problems) {
  const auto obstruction = [&](const ParsedObject& body) -> std::string {
    const ParsedObject* mesh = bodies.one(body, "mesh");
    if (bodies.has(body, "bones")) return "a body with bones cannot be cut";
    if (mesh && mesh->tag == "springs") return "only tetrahedra can be cut, not a spring net";
    if (mesh && mesh->has("skin")) return "a body that carries a skin cannot be cut; leave out mesh.skin";
    return "";
  };
  if (!bodies.named()) {
    const std::string why = obstruction(scene);
    if (!scene.all("cuts").empty() && !why.empty()) problems.add("cuts", why);
    for (const ParsedObject& cut : scene.all("cuts"))
      if (cut.has("body")) problems.add(cut.path + ".body", "the scene has one body, without a name; leave it out");
    return;
  }
  for (const ParsedObject& cut : scene.all("cuts")) {
    if (!cut.has("body")) {
      const auto whole = [&](const ParsedObject* body) {
        return bodies.has(*body, "mesh") && obstruction(*body).empty();
      };
      if (std::none_of(bodies.records().begin(), bodies.records().end(), whole))
        problems.add(cut.path,
                     "no body of the scene can be cut: that takes tetrahedra without a skin and without bones");
      continue;
    }
    const std::string name = cut.get<std::string>("body");
    Names known;
    bool found = false;
    for (const ParsedObject* body : bodies.records())
      for (const std::string& one : bodies.names(*body)) {
        known.insert(one);
        if (one != name) continue;
        found = true;
        if (const std::string why = obstruction(*body); !why.empty())
          problems.add(cut.path + ".body", why, fmt::format("\"{}\"", shorten(name)));
      }
    if (!found) problems.add(cut.path + ".body", unknown_name("body", shorten(name), {known.begin(), known.end()}));
  }
}

/// Bones are held, driven and damped by their joints.
void check_bones(const ParsedObject& scene, const BodyRecords& bodies, const ParsedObject& body, Problems& problems) {
  const bool mesh = bodies.has(body, "mesh");
  const auto at = [&](const char* key) { return join_path(body.path, key); };
  if (!bodies.has(body, "bones")) return;
  if (body.children.contains("bones") && body.all("bones").empty())
    problems.add(at("bones"), "expected at least one bone");
  const auto refuse = [&](const ParsedObject& from, const char* key, const char* remedy) {
    if (from.given.contains(key)) problems.add(join_path(from.path, key), std::string("bones have none; ") + remedy);
  };
  if (!mesh) refuse(body, "materials", "they are rigid");
  if (!mesh) refuse(body, "springs", "give their joints a \"stiffness\"");
  for (const ParsedObject& bone : body.all("bones"))
    if (bone.has("tissue") && !mesh) problems.add(bone.path + ".tissue", "there is no \"mesh\" that it could carry");
  refuse(body, "initial", "their joints say how they begin (\"angle\", \"speed\", \"turn\", \"spin\" …)");
  refuse(scene, "damping", "give their joints a \"damping\"");
  if (bodies.named()) return;  // the others may have what bones do not
  refuse(scene, "constraints", "hang them by a joint, or pull them by \"attachments\"");
  if (!mesh) refuse(scene, "condensation", "it takes a \"mesh\" that they carry");
}

/// Names of bodies, instances and copies.
void check_bodies(const ParsedObject& scene, const BodyRecords& bodies, Problems& problems) {
  if (!bodies.named()) return;
  if (bodies.records().empty()) problems.add("bodies", "expected at least one body");
  for (const char* key : {"mesh", "materials", "springs", "bones", "initial"})
    if (scene.given.contains(key))
      problems.add(key, "belongs to one body; in a scene with \"bodies\" it stands in one of them");
  Names names;
  for (const ParsedObject* body : bodies.records()) {
    if (body->key.empty() || body->key.find('.') != std::string::npos)
      problems.add(body->path, "expected a name without a dot; dots part the names of bodies and sets");
    if (const ParsedObject* transform = body->one("transform"); transform) check_transform(*body, problems);
    check_instance(bodies, *body, problems);
    if (const ParsedObject* copies = body->one("copies"); copies && copies->has("count")) {
      double count = 1;
      for (double n : copies->get<std::vector<double>>("count")) count *= n;
      if (copies->get<std::vector<double>>("count").size() != 3)
        problems.add(copies->path + ".count", "expected three numbers, of bodies along x, y and z");
      if (count > kMostBodies)
        problems.add(copies->path + ".count",
                     fmt::format("makes {} bodies; at most {} are allowed", count, kMostBodies));
    }
  }
  if (problems.full()) return;
  for (const ParsedObject* body : bodies.records())
    for (const std::string& name : bodies.names(*body))
      if (!names.insert(name).second)
        problems.add(body->path, fmt::format("there is another body \"{}\"", shorten(name)));
  for (const ParsedObject& set : scene.all("sets"))
    if (names.contains(set.key)) problems.add(set.path, "is the name of a body, which stands for all its vertices");
}

/// The tangential stiffness of contact ties a vertex to a point at rest, so the obstacle must not move. Friction acts
/// on vertices with mass, and those of a bone's surface have almost none.
void check_obstacles(const ParsedObject& scene, const BodyRecords& bodies, const std::filesystem::path& scene_file,
                     Problems& problems) {
  const bool bare_bones = std::all_of(bodies.records().begin(), bodies.records().end(), [&](const ParsedObject* body) {
    return bodies.has(*body, "bones") && !bodies.has(*body, "mesh");
  });
  for (const ParsedObject& obstacle : scene.all("obstacles")) {
    const bool surface = obstacle.row == kMeshObstacle;
    if (surface && !obstacle.one("mesh"))
      problems.add(obstacle.path + ".mesh",
                   "missing key; the surface, for example {\"file\": \"bowl.obj\"} or {\"generate\": \"ball\", …}");
    if (const ParsedObject* mesh = obstacle.one("mesh")) {
      if (mesh->tag == "file") check_file(mesh->path + ".file", mesh->row, scene_file, problems);
      check_transform(*mesh, problems);
    }
    if (!surface && obstacle.one("mesh"))
      problems.add(obstacle.path + ".mesh", fmt::format("only with \"shape\": \"{}\"", kMeshObstacle));
    if (surface && obstacle.has("tangential") && obstacle.get<double>("tangential") > 0)
      problems.add(obstacle.path + ".tangential", "not for surfaces of triangles; they hold things by their \"friction\"");
    if (bare_bones && !scene.one("contact") && !surface && obstacle.has("friction") && obstacle.get<double>("friction") > 0)
      problems.add(obstacle.path + ".friction",
                   "bones slide in a scene without \"contact\"; give it one, if only {\"self\": false}");
    if (obstacle.one("motion") && obstacle.has("tangential") && obstacle.get<double>("tangential") > 0)
      problems.add(obstacle.path + ".tangential",
                   "only for an obstacle that stands still; one that moves takes things along by its \"friction\"");
  }
}

/// What touches has surfaces of its own all the time.
void check_contact(const ParsedObject& scene, const BodyRecords& bodies, Problems& problems) {
  const ParsedObject* contact = scene.one("contact");
  if (!contact) return;
  const Names known = bodies.set_names();
  for (const ParsedObject& pair : contact->all("pairs")) {
    if (!pair.has("between")) continue;
    const auto& between = pair.get<std::vector<std::string>>("between");
    if (between.size() != 2) problems.add(pair.path + ".between", "expected two names");
    for (const std::string& name : between) check_set_name(name, pair.path + ".between", known, problems);
    if (pair.has("ignore") && !pair.get<bool>("ignore") && !pair.has("friction"))
      problems.add(pair.path, "expected \"ignore\": true or a \"friction\"; otherwise nothing is different");
  }
  const auto check_static = [&](const ParsedObject& record) {
    if (!record.has("static_friction")) return;
    const double holds = record.get<double>("static_friction");
    if (!record.has("friction"))
      problems.add(record.path + ".static_friction", "needs a \"friction\" beside it, of what slides");
    else if (holds < record.get<double>("friction"))
      problems.add(record.path + ".static_friction", "must not be less than \"friction\", of what slides",
                   fmt::format("{}", holds));
  };
  check_static(*contact);
  for (const ParsedObject& pair : contact->all("pairs")) check_static(pair);
  if (scene.given.contains("cuts"))
    problems.add("cuts", "not in a scene with \"contact\" yet: the two sides of a cut begin without a gap");
}

void check_duration(const ParsedObject& scene, Problems& problems) {
  const ParsedObject* integrator = scene.one("integrator");
  if (!scene.has("duration") || !integrator || !integrator->has("h")) return;
  const double duration = scene.get<double>("duration"), h = integrator->get<double>("h");
  if (duration < h / 2)
    problems.add("duration", fmt::format("is less than half a step of {} s, so nothing would happen", h),
                 fmt::format("{}", duration));
  if (duration / h > std::numeric_limits<int>::max())
    problems.add("duration", fmt::format("makes more than {} steps of {} s", std::numeric_limits<int>::max(), h),
                 fmt::format("{}", duration));
}

}  // namespace

std::filesystem::path beside(const std::filesystem::path& scene_file, const std::string& path) {
  return scene_file.parent_path() / std::filesystem::path(path);
}

void cross_check(const ParsedObject& scene, const std::filesystem::path& scene_file, Problems& problems) {
  const BodyRecords bodies(scene);
  check_bodies(scene, bodies, problems);
  for (const ParsedObject* body : bodies.records()) {
    check_mesh(bodies, *body, scene_file, problems);
    check_bones(scene, bodies, *body, problems);
  }
  check_sets(scene, bodies, problems);
  check_cuts(scene, bodies, problems);
  check_obstacles(scene, bodies, scene_file, problems);
  check_contact(scene, bodies, problems);
  check_duration(scene, problems);
}

}  // namespace brio

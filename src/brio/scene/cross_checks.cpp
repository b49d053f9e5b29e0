#include "brio/scene/cross_checks.hpp"

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

void check_set_names(const ParsedObject& scene, const Names& known, Problems& problems) {
  for (const char* section : {"constraints", "attachments", "loads", "energies"})
    for (const ParsedObject& user : scene.all(section))
      if (user.has("set")) check_set_name(user.get<std::string>("set"), user.path + ".set", known, problems);
  for (const ParsedObject& bone : scene.all("bones"))
    if (bone.has("tissue")) check_set_name(bone.get<std::string>("tissue"), bone.path + ".tissue", known, problems);
  if (const ParsedObject* springs = scene.one("springs"))
    for (const ParsedObject& patch : springs->all("patches"))
      if (patch.has("set")) check_set_name(patch.get<std::string>("set"), patch.path + ".set", known, problems);
  if (const ParsedObject* condensation = scene.one("condensation"))
    if (const ParsedObject* nodes = condensation->one("nodes"); nodes && nodes->options.has("set"))
      check_set_name(nodes->options.text("set"), nodes->path + ".set", known, problems);
  if (const ParsedObject* output = scene.one("output"); output && output->has("probe"))
    if (const auto* name = std::get_if<std::string>(&output->values.at("probe")))
      check_set_name(*name, "output.probe", known, problems);
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

void check_sets(const ParsedObject& scene, Problems& problems) {
  if (scene.all("sets").size() > kMostSets) {
    problems.add("sets", fmt::format("expected at most {} sets, found {}", kMostSets, scene.all("sets").size()));
    return;
  }
  Names known;
  for (const ParsedObject& set : scene.all("sets")) known.insert(set.key);
  check_unions(scene, known, problems);
  check_set_names(scene, known, problems);
}

void check_mesh(const ParsedObject& scene, const std::filesystem::path& scene_file, Problems& problems) {
  const ParsedObject* mesh = scene.one("mesh");
  if (!mesh || mesh->tag.empty()) return;
  const bool net = mesh->tag == "springs";
  const bool materials = scene.given.contains("materials"), springs = scene.given.contains("springs");
  if (net && materials) problems.add("materials", "a spring net has no materials; its constants go into \"springs\"");
  if (net && !springs) problems.add("springs", "missing key: a spring net needs its stiffness and its mass");
  if (!net && springs)
    problems.add("springs", "only a spring net (mesh.springs) has springs; a tetrahedral body has \"materials\"");
  if (!net && !materials) problems.add("materials", "missing key: a tetrahedral body needs at least one material");
  if (!net && scene.children.contains("materials") && scene.all("materials").empty())
    problems.add("materials", "expected at least one material");

  const auto check_file = [&](const char* key, const std::string& name) {
    const std::filesystem::path file = beside(scene_file, name);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
      problems.add(key, fmt::format("no such file; looked for {}", shorten(file.string(), 200)),
                   fmt::format("\"{}\"", shorten(name)));
  };
  if (mesh->tag == "file") check_file("mesh.file", mesh->row);
  if (mesh->tag == "surface") check_file("mesh.surface", mesh->row);
  if (mesh->has("skin")) check_file("mesh.skin", mesh->get<std::string>("skin"));
  if (mesh->has("skin") && net) problems.add("mesh.skin", "only tetrahedra carry a skin");
  const ParsedObject* transform = mesh->one("transform");
  if (transform && transform->has("rotate_axis") && transform->get<Vec3>("rotate_axis").norm() == 0)
    problems.add("mesh.transform.rotate_axis", "expected a direction other than zero", "[0, 0, 0]");
}

void check_cuts(const ParsedObject& scene, Problems& problems) {
  const ParsedObject* mesh = scene.one("mesh");
  if (!mesh || scene.all("cuts").empty()) return;
  if (mesh->tag == "springs") problems.add("cuts", "only tetrahedra can be cut, not a spring net");
  if (mesh->has("skin")) problems.add("cuts", "a body that carries a skin cannot be cut; leave out mesh.skin");
  if (scene.given.contains("bones")) problems.add("cuts", "a body with bones cannot be cut");
}

/// Bones are held, driven and damped by their joints.
void check_bones(const ParsedObject& scene, Problems& problems) {
  const bool mesh = scene.given.contains("mesh");
  if (!scene.given.contains("bones")) {
    if (!mesh && problems.empty()) problems.add("mesh", "missing key: a scene needs a \"mesh\" or \"bones\"");
    return;
  }
  if (scene.children.contains("bones") && scene.all("bones").empty())
    problems.add("bones", "expected at least one bone");
  const auto refuse = [&](const char* key, const char* remedy) {
    if (scene.given.contains(key)) problems.add(key, std::string("bones have none; ") + remedy);
  };
  if (!mesh) refuse("materials", "they are rigid");
  if (!mesh) refuse("springs", "give their joints a \"stiffness\"");
  for (const ParsedObject& bone : scene.all("bones"))
    if (bone.has("tissue") && !mesh) problems.add(bone.path + ".tissue", "there is no \"mesh\" that it could carry");
  refuse("constraints", "hang them by a joint, or pull them by \"attachments\"");
  refuse("damping", "give their joints a \"damping\"");
  refuse("initial", "their joints say how they begin (\"angle\", \"speed\", \"turn\", \"spin\" …)");
  if (!mesh) refuse("condensation", "it takes a \"mesh\" that they carry");
}

/// The tangential share of contact holds what touches, and not what the obstacle would take along. Friction takes from
/// each vertex what its mass can give, and the vertices of a bone's surface have next to none.
void check_obstacles(const ParsedObject& scene, Problems& problems) {
  const bool bare_bones = scene.given.contains("bones") && !scene.given.contains("mesh");
  for (const ParsedObject& obstacle : scene.all("obstacles")) {
    if (bare_bones && obstacle.has("friction") && obstacle.get<double>("friction") > 0)
      problems.add(obstacle.path + ".friction", "bones slide; friction acts on tissue only");
    if (obstacle.one("motion") && obstacle.has("tangential") && obstacle.get<double>("tangential") > 0)
      problems.add(obstacle.path + ".tangential",
                   "only for an obstacle that stands still; one that moves takes things along by its \"friction\"");
  }
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
  check_mesh(scene, scene_file, problems);
  check_bones(scene, problems);
  check_sets(scene, problems);
  check_cuts(scene, problems);
  check_obstacles(scene, problems);
  check_duration(scene, problems);
}

}  // namespace brio

#include "brio/experiment/advise/apply.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/json.hpp"

namespace brio {
namespace {

namespace fs = std::filesystem;

constexpr size_t kWidest = 118;  // characters on a line

/// `value` with the keys of `model` in the model's order, and new ones behind.
Json in_order_of(const Json& model, const Json& value) {
  if (value.is_array()) {
    Json list = Json::array();
    for (size_t i = 0; i < value.size(); ++i)
      list.push_back(in_order_of(model.is_array() && i < model.size() ? model[i] : Json(), value[i]));
    return list;
  }
  if (!value.is_object()) return Json(value);
  Json object = Json::object();
  if (model.is_object())
    for (const auto& [key, part] : model.items())
      if (value.contains(key)) object[key] = in_order_of(part, value[key]);
  for (const auto& [key, part] : value.items())
    if (!object.contains(key)) object[key] = in_order_of(Json(), part);
  return object;
}

void write_changed_json(const Json& json, size_t indent, size_t taken, std::string& text) {
  const std::string line = json.dump();
  std::string spaced;  // as people write it: {"a": 1, "b": 2}
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    spaced += line[i];
    if (line[i] == '\\')
      spaced += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (!quoted && (line[i] == ',' || line[i] == ':'))
      spaced += ' ';
  }
  if (!json.is_structured() || json.empty() || (indent > 0 && indent + taken + spaced.size() < kWidest)) {
    text += spaced;
    return;
  }
  const bool object = json.is_object();
  text += object ? "{" : "[";
  const char* separator = "\n";
  for (const auto& [key, value] : json.items()) {
    text += separator;
    text.append(indent + 2, ' ');
    const std::string head = object ? Json(key).dump() + ": " : "";
    text += head;
    write_changed_json(value, indent + 2, head.size(), text);
    separator = ",\n";
  }
  text += fmt::format("\n{:{}}{}", "", indent, object ? "}" : "]");
}

/// The keys of "mesh" that are paths, relative to the scene file.
constexpr const char* kPathKeys[] = {"file", "surface", "skin"};

void redirect_paths(Json& scene, const fs::path& from, const fs::path& out) {
  const fs::path here = fs::absolute(from).parent_path(), there = fs::absolute(out).parent_path();
  if (!scene.contains("mesh") || here.lexically_normal() == there.lexically_normal()) return;
  for (const char* key : kPathKeys) {
    Json& mesh = scene["mesh"];
    if (!mesh.contains(key) || !mesh[key].is_string()) continue;
    const fs::path path(mesh[key].get<std::string>());
    if (path.is_absolute()) continue;
    // Symbolic links on the way are followed first: "link/.." is not where it seems to be.
    mesh[key] = fs::relative(here / path, there).generic_string();
  }
}

}  // namespace

std::string readable_json(const Json& json) {
  std::string text;
  write_changed_json(json, 0, 0, text);
  return text + "\n";
}

void refuse_own_file(const fs::path& scene_file, const fs::path& out) {
  std::error_code ignored;
  if (fs::equivalent(scene_file, out, ignored))
    throw Error("--apply {}: that is the scene file itself; name another file, and move it over when you are content",
                out.string());
}

void write_advised_scene(const SceneText& text, const SceneTables& tables, const Advice& advice, const fs::path& out) {
  if (!advice.chosen()) throw Error("--apply {}: nothing was recommended, so nothing is written", out.string());
  refuse_own_file(text.file, out);
  Json scene = with_candidate(text.json(tables), *advice.chosen(), advice.h());
  redirect_paths(scene, text.file, out);
  const Json model = Json::parse(text.text);
  const std::string written = readable_json(in_order_of(model, scene));
  parse_scene(written, out, tables);  // what would be refused later is refused now
  write_whole_file(out, [&](OutputFile& file) { file.write(written); });
}

}  // namespace brio

#include "brio/scene/overrides.hpp"

#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/core/method_text.hpp"
#include "brio/scene/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace brio {
namespace {

/// "materials[0].E" and "materials.0.E" as {"materials", "0", "E"}; nothing when the path is not well formed.
std::vector<std::string> keys_of(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < path.size();) {
    const bool bracket = !parts.empty() && path[at] == '[';
    if (!parts.empty() && path[at] != '[' && path[at] != '.') return {};
    if (!parts.empty()) ++at;
    const size_t end = std::min(path.find_first_of(bracket ? "]" : ".[", at), path.size());
    if (end == at || (bracket && end == path.size())) return {};
    parts.push_back(path.substr(at, end - at));
    at = bracket ? end + 1 : end;
  }
  return path.ends_with('.') ? std::vector<std::string>{} : parts;
}

std::optional<size_t> as_index(const std::string& part) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size()) return {};
  return index;
}

Json as_value(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const Error&) {
    return text;
  }
}

/// What stands at `part` of `parent`, made if it can be; throws Error saying why not.
Json& descend(Json& parent, const std::string& part, const std::string& path) {
  if (parent.is_null()) parent = Json::object();
  if (parent.is_object()) return parent[part];
  if (!parent.is_array()) throw Error("{} has no parts, so \"{}\" cannot be set", path, part);
  const auto index = as_index(part);
  if (!index) throw Error("{} is a list; expected the number of one of its entries, not \"{}\"", path, part);
  if (*index >= parent.size())
    throw Error("{} has {} entries, counted from 0; there is no [{}]", path, parent.size(), part);
  return parent[*index];
}

/// Writes the value and returns the path in the form that messages use.
std::string apply(Json& scene, const std::string& override_text) {
  const size_t equals = override_text.find('=');
  if (equals == std::string::npos) throw Error("expected key.path=value");
  const std::vector<std::string> parts = keys_of(override_text.substr(0, equals));
  if (parts.empty()) throw Error("expected key.path=value, such as integrator.h=0.01 or materials[0].E=1e6");
  if (parts.size() > kDeepestNesting) throw Error("the key has more than {} parts", kDeepestNesting);
  Json* place = &scene;
  std::string path;
  for (const std::string& part : parts) {
    Json& next = descend(*place, part, path);
    path = place->is_array() ? fmt::format("{}[{}]", path, part) : join_path(path, part);
    place = &next;
  }
  *place = as_value(override_text.substr(equals + 1));
  return path;
}

const Option* find_option(const std::vector<Entry>& table, const std::string& row, const std::string& key) {
  for (const Entry& entry : table)
    for (const Option& option : entry.options)
      if (entry.name == row && option.key == key) return &option;
  return nullptr;
}

/// Takes away the options of the integrator in the file that the new one does not have, or that mean something else
/// there (beta of si and of newmark); unknown keys stay, and the reader refuses them.
void drop_options_of(const std::string& old_name, Json& integrator, const SceneTables& tables) {
  const std::string name = integrator["name"].dump();
  for (auto item = integrator.begin(); item != integrator.end();) {
    const Option* before = find_option(tables.integrators, old_name, item.key());
    const Option* now = find_option(tables.integrators, integrator["name"].get<std::string>(), item.key());
    const bool keep = !before || (now && now->doc == before->doc);
    if (!keep)
      log_info(
          fmt::format("integrator.{} of the scene file is left out: {} has none of that meaning", item.key(), name));
    item = keep ? std::next(item) : integrator.erase(item);
  }
}

std::string integrator_name(const Json& scene) {
  if (!scene.contains("integrator") || !scene["integrator"].contains("name")) return "";
  const Json& name = scene["integrator"]["name"];
  return name.is_string() ? name.get<std::string>() : "";
}

}  // namespace

std::vector<std::string> integrator_overrides(const std::string& method) {
  const MethodText text = parse_method_text(method);
  std::vector<std::string> overrides = {"integrator.name=" + text.name};
  for (const auto& [key, value] : text.values) overrides.push_back("integrator." + key + "=" + value);
  return overrides;
}

void apply_overrides(Json& scene, const std::vector<std::string>& overrides, const SceneTables& tables,
                     Problems& problems) {
  for (const std::string& text : overrides) {
    const std::string origin = "--set " + shorten(text);
    try {
      const std::string old_integrator = integrator_name(scene);
      const std::string path = apply(scene, text);
      problems.note_origin(path, origin);
      if (path == "duration") scene.erase("steps");
      if (path == "steps") scene.erase("duration");
      if (path == "integrator.name" && !integrator_name(scene).empty())
        drop_options_of(old_integrator, scene["integrator"], tables);
    } catch (const Error& error) {
      problems.add("", fmt::format("{}: {}", origin, error.what()));
    }
  }
}

}  // namespace brio

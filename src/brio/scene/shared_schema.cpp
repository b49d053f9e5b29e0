#include "brio/scene/shared_schema.hpp"

#include <map>
#include <string>

namespace brio {
namespace {

class Sharing {
 public:
  /// How often each object is there. What is in an object that was seen before is not counted again.
  void count(const Json& node) {
    if (is_shareable(node) && ++seen_[text_of(node)] > 1) return;
    if (node.is_object() || node.is_array())
      for (const Json& child : node) count(child);
  }

  /// `key`: the one under which the node is.
  void replace(const std::string& key, Json& node) {
    if (is_shareable(node)) {
      const std::string text = text_of(node);
      if (seen_[text] > 1) {
        std::string& name = name_[text];
        if (name.empty()) {
          name = unused_name(name_of(key, node));
          Json once = node;
          once.erase("description");
          replace_children(key, once);
          defs[name] = std::move(once);
        }
        Json reference{{"$ref", "#/$defs/" + name}};
        if (node.contains("description")) reference = {{"description", node["description"]}, {"$ref", "#/$defs/" + name}};
        node = std::move(reference);
        return;
      }
    }
    replace_children(key, node);
  }

  Json defs = Json::object();

 private:
  static constexpr size_t kShort = 600;  // characters: a reference to less is no gain for a reader

  /// What is compared: what a key is for may be said with each reference.
  static std::string text_of(Json node) {
    node.erase("description");
    return node.dump();
  }

  static bool is_shareable(const Json& node) {
    if (!node.is_object() || !(node.contains("properties") || node.contains("oneOf"))) return false;
    return text_of(node).size() > kShort;
  }

  /// After the row of a table that it is, or the key that it is under.
  static std::string name_of(const std::string& key, const Json& node) {
    if (node.contains("properties"))
      for (const auto& [name, property] : node["properties"].items())
        if (property.contains("const")) return name + "-" + property["const"].get<std::string>();
    return key;
  }

  std::string unused_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2; defs.contains(name) || name == "shape"; ++i) name = wanted + "-" + std::to_string(i);
    return name;
  }

  void replace_children(const std::string& key, Json& node) {
    if (node.is_object())
      for (auto child = node.begin(); child != node.end(); ++child) {
        const bool nameless = child.key() == "items" || child.key() == "additionalProperties" || child.key() == "oneOf";
        replace(nameless ? key : child.key(), *child);
      }
    if (node.is_array())
      for (Json& child : node) replace(key, child);
  }

  std::map<std::string, int> seen_;
  std::map<std::string, std::string> name_;
};

}  // namespace

void share_repeated(Json& schema) {
  Sharing sharing;
  sharing.count(schema);
  Json own = Json::object();
  if (schema.contains("$defs")) {
    own = std::move(schema["$defs"]);
    schema.erase("$defs");
  }
  sharing.replace("scene", schema);
  for (auto def = own.begin(); def != own.end(); ++def) {
    sharing.replace(def.key(), *def);
    sharing.defs[def.key()] = std::move(*def);
  }
  if (!sharing.defs.empty()) schema["$defs"] = std::move(sharing.defs);
}

}  // namespace brio

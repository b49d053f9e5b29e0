#pragma once
// Just enough of JSON Schema to judge scenes by the published schema, independently of the reader. An unknown schema
// keyword is a failure, so that nothing is skipped quietly.

#include <nlohmann/json.hpp>

#include <cmath>
#include <stdexcept>

namespace brio::testing {

using SchemaJson = nlohmann::ordered_json;

inline bool has_type(const SchemaJson& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
  throw std::runtime_error("unknown type " + type);
}

inline bool schema_accepts(const SchemaJson& schema, const SchemaJson& value);

inline int count_accepting(const SchemaJson& schemas, const SchemaJson& value) {
  int count = 0;
  for (const SchemaJson& schema : schemas) count += schema_accepts(schema, value);
  return count;
}

inline bool members_accepted(const SchemaJson& schema, const SchemaJson& object) {
  const SchemaJson none = SchemaJson::object();
  const SchemaJson& properties = schema.contains("properties") ? schema["properties"] : none;
  for (const auto& [key, member] : object.items()) {
    if (properties.contains(key)) {
      if (!schema_accepts(properties[key], member)) return false;
    } else if (schema.contains("additionalProperties")) {
      const SchemaJson& rest = schema["additionalProperties"];
      if (rest.is_boolean() ? !rest.get<bool>() : !schema_accepts(rest, member)) return false;
    }
  }
  return true;
}

/// Where references in the schema point to: the schema in use.
inline const SchemaJson*& schema_root() {
  static const SchemaJson* root = nullptr;
  return root;
}

inline bool keyword_accepts(const std::string& keyword, const SchemaJson& rule, const SchemaJson& value) {
  const bool number = value.is_number(), array = value.is_array();
  if (keyword == "type") return has_type(value, rule);
  if (keyword == "const") return value == rule;
  if (keyword == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end();
  if (keyword == "minimum") return !number || value.get<double>() >= rule.get<double>();
  if (keyword == "maximum") return !number || value.get<double>() <= rule.get<double>();
  if (keyword == "exclusiveMinimum") return !number || value.get<double>() > rule.get<double>();
  if (keyword == "exclusiveMaximum") return !number || value.get<double>() < rule.get<double>();
  if (keyword == "minItems") return !array || value.size() >= rule.get<size_t>();
  if (keyword == "maxItems") return !array || value.size() <= rule.get<size_t>();
  if (keyword == "items")
    return !array ||
           std::all_of(value.begin(), value.end(), [&](const SchemaJson& v) { return schema_accepts(rule, v); });
  if (keyword == "required")
    return !value.is_object() || std::all_of(rule.begin(), rule.end(),
                                             [&](const SchemaJson& k) { return value.contains(k.get<std::string>()); });
  if (keyword == "anyOf") return count_accepting(rule, value) > 0;
  if (keyword == "oneOf") return count_accepting(rule, value) == 1;
  if (keyword == "allOf") return count_accepting(rule, value) == static_cast<int>(rule.size());
  if (keyword == "properties" || keyword == "additionalProperties") return true;  // see members_accepted
  if (keyword == "$ref")                                                          // "#/$defs/shape"
    return schema_accepts(schema_root()->at(SchemaJson::json_pointer(rule.get<std::string>().substr(1))), value);
  if (keyword == "$defs" || keyword == "$schema" || keyword == "title" || keyword == "description" ||
      keyword == "default")
    return true;
  throw std::runtime_error("unknown keyword " + keyword);
}

inline bool schema_accepts(const SchemaJson& schema, const SchemaJson& value) {
  if (schema.contains("$schema")) schema_root() = &schema;
  for (const auto& [keyword, rule] : schema.items())
    if (!keyword_accepts(keyword, rule, value)) return false;
  return !value.is_object() || members_accepted(schema, value);
}

}  // namespace brio::testing

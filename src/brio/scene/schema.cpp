#include "brio/scene/schema.hpp"

#include "brio/scene/object_schema.hpp"
#include "brio/scene/shared_schema.hpp"

#include <cmath>

namespace brio {
namespace {

struct ValueToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Items&) const { return nullptr; }  // items have no defaults
  Json operator()(const Vec3& v) const { return {v[0], v[1], v[2]}; }
  Json operator()(const std::vector<Vec3>& list) const {
    Json out = Json::array();
    for (const Vec3& v : list) out.push_back((*this)(v));
    return out;
  }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

Json bounded(const char* type, const Option& option) {
  Json schema{{"type", type}};
  if (std::isfinite(option.least)) schema[option.least_excluded ? "exclusiveMinimum" : "minimum"] = option.least;
  if (std::isfinite(option.most)) schema[option.most_excluded ? "exclusiveMaximum" : "maximum"] = option.most;
  return schema;
}

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json list_of(Json items, int length) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", length}, {"maxItems", length}};
}

/// Objects that may hold objects of their own kind are described once and referred to.
Json reference_to(const Option& option) { return {{"$ref", "#/$defs/" + option.tag}}; }

Json kind_schema(const Option& option) {
  using Kind = Option::Kind;
  switch (option.kind) {
    case Kind::number:
      return bounded("number", option);
    case Kind::integer:
      return bounded("integer", option);
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::text:
      return {{"type", "string"}};
    case Kind::choice:
      return {{"enum", option.choices}};
    case Kind::vec3:
      return list_of(bounded("number", option), 3);
    case Kind::numbers:
      return list_of(bounded("number", option));
    case Kind::integers:
      return list_of(bounded("integer", option));
    case Kind::pairs:
      return list_of(list_of({{"type", "number"}}, 2));
    case Kind::vec3s:
      return list_of(list_of(bounded("number", option), 3));
    case Kind::names:
      return list_of(option.choices.empty() ? Json{{"type", "string"}} : Json{{"enum", option.choices}});
    case Kind::item:
      return reference_to(option);
    case Kind::items: {
      Json schema = list_of(reference_to(option));
      schema["minItems"] = 1;
      return schema;
    }
    case Kind::named_items:
      return {{"type", "object"}, {"additionalProperties", reference_to(option)}};
  }
  return {};
}

std::string with_unit(const std::string& doc, const std::string& unit) {
  return unit.empty() ? doc : doc + " [" + unit + "]";
}

Json option_schema(const Option& option) {
  Json schema{{"description", with_unit(option.doc, option.unit)}};
  schema.update(kind_schema(option));
  const Json fallback = std::visit(ValueToJson{}, option.fallback);
  if (!fallback.is_null()) schema["default"] = fallback;
  return schema;
}

Json object_schema(const ObjectSchema& shape);

Json field_schema(const Field& field) {
  Json schema{{"description", field.doc}};
  if (field.form == Field::Form::object) schema.update(object_schema(field.shape));
  if (field.form == Field::Form::list) schema.update(list_of(object_schema(field.shape)));
  if (field.form == Field::Form::map)
    schema.update(Json{{"type", "object"}, {"additionalProperties", object_schema(field.shape)}});
  if (field.form != Field::Form::value) return schema;
  if (field.accepted.size() == 1) return option_schema(field.accepted[0]);
  for (const Option& option : field.accepted) schema["anyOf"].push_back(kind_schema(option));
  const Json fallback = std::visit(ValueToJson{}, field.accepted[0].fallback);
  if (!fallback.is_null()) schema["default"] = fallback;
  return schema;
}

/// The keys of an object in the making.
struct Keys {
  Json properties = Json::object();
  std::vector<std::string> required;

  void add(const std::string& key, Json schema, bool is_required) {
    properties[key] = std::move(schema);
    if (is_required) required.push_back(key);
  }
  Json closed() const {
    Json schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    return schema;
  }
};

void add_fields(const ObjectSchema& shape, Keys& keys) {
  for (const Field& field : shape.fields) keys.add(field.key, field_schema(field), field.required);
}

Json row_schema(const ObjectSchema& shape, const Variant& variant, const Entry& row) {
  Keys keys;
  keys.add(variant.tag, {{"description", row.summary}, {"const", row.name}}, row.name != variant.fallback);
  for (const Option& option : row.options) keys.add(option.key, option_schema(option), option.required);
  add_fields(shape, keys);
  return keys.closed();
}

Json free_text_schema(const ObjectSchema& shape, const Variant& variant) {
  Keys keys;
  keys.add(variant.tag, {{"description", variant.doc}, {"type", "string"}}, true);
  for (const Option& option : variant.options) keys.add(option.key, option_schema(option), option.required);
  add_fields(shape, keys);
  return keys.closed();
}

Json object_schema(const ObjectSchema& shape) {
  if (shape.variants.empty()) {
    Keys keys;
    add_fields(shape, keys);
    Json schema = keys.closed();
    for (const auto& group : shape.exactly_one) {
      Json one = Json::array();
      for (const std::string& key : group) one.push_back({{"required", {key}}});
      schema["allOf"].push_back({{"oneOf", one}});
    }
    if (!shape.at_least_one.empty()) {
      Json any = Json::array();
      for (const std::string& key : shape.at_least_one) any.push_back({{"required", {key}}});
      schema["anyOf"] = any;
    }
    return schema;
  }
  Json rows = Json::array();
  for (const Variant& variant : shape.variants) {
    if (variant.kind.empty()) rows.push_back(free_text_schema(shape, variant));
    for (const Entry& row : variant.rows) rows.push_back(row_schema(shape, variant, row));
  }
  return {{"type", "object"}, {"oneOf", rows}};
}

}  // namespace

Json scene_schema(const SceneTables& tables) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "brio scene"},
              {"description", "A scene for `brio run`. SI units; paths are relative to the scene file."}};
  schema.update(object_schema(scene_object_schema(tables)));
  if (!tables.shapes.empty()) {
    schema["$defs"]["shape"] = object_schema({{}, {{"shape", "shape", "a solid", tables.shapes, ""}}, {}});
  }
  share_repeated(schema);
  return schema;
}

}  // namespace brio

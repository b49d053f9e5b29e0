#pragma once
// The scene format as data. One description of every object in the file (its keys, what they take, which table gives
// it more keys) drives the reader, the JSON schema and the reference page, so that the three cannot drift apart.

#include "brio/core/options.hpp"
#include "brio/scene/tables.hpp"

#include <string>
#include <vector>

namespace brio {

struct Field;

/// The value of the key `tag` names a row, and the row's options are further keys of the same object.
struct Variant {
  std::string tag;
  std::string kind;  ///< what a row is called in messages and docs: "integrator"
  std::string doc;
  std::vector<Entry> rows;
  std::string fallback;              ///< the row meant when the tag is left out, or ""
  std::vector<Option> options = {};  ///< where there are no rows: of any text that the tag gives
};

/// One object of the file.
struct ObjectSchema {
  std::vector<Field> fields;
  std::vector<Variant> variants;                      ///< where there are any, exactly one of their tags is given
  std::vector<std::vector<std::string>> exactly_one;  ///< groups of keys of which one must be given
  std::vector<std::string> at_least_one = {};         ///< keys of which one or more must be given, or none listed
};

/// One key of an object.
struct Field {
  enum class Form { value, object, list, map };

  std::string key;
  std::string doc;
  Form form = Form::value;
  bool required = false;
  bool empty_if_absent = false;  ///< an object that is left out counts as {}
  std::vector<Option> accepted;  ///< a value must please one of them; the default is that of the first
  ObjectSchema shape;            ///< of the object, of each object in the list, or of each named object in the map

  /// "a number > 0 [s]", for messages and docs.
  std::string expected() const;
};

/// A key whose value pleases one of the options, all of one key; the first tells what it means.
Field any_of(std::vector<Option> accepted);

/// The object "contact", and each of the list "obstacles".
ObjectSchema contact_schema();
ObjectSchema obstacle_schema(const SceneTables& tables);
/// Scale, rotation and shift of something.
ObjectSchema transform_schema();
/// The motions, by the value of `tag`.
Variant motion_variant(const SceneTables& tables, const std::string& tag, const std::string& doc,
                       const std::string& fallback);
/// Keys with a value of one kind, and with an object.
Field value(Option option);
Field object(std::string key, std::string doc, ObjectSchema shape);

/// The whole file, for these tables.
ObjectSchema scene_object_schema(const SceneTables& tables);

}  // namespace brio

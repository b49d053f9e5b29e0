#pragma once
// An object of a scene file, read and checked against its ObjectSchema.

#include "brio/core/json.hpp"
#include "brio/scene/object_schema.hpp"
#include "brio/scene/problems.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace brio {

struct ParsedObject {
  std::string path;                                           ///< "materials[0]"
  std::string key;                                            ///< its name, in a map
  std::string tag;                                            ///< which of the shape's variants it is
  std::string row;                                            ///< what the tag says
  Options options;                                            ///< of the row
  std::map<std::string, OptionValue> values;                  ///< of the fields, defaults included
  std::map<std::string, std::vector<ParsedObject>> children;  ///< of the object, list and map fields that were given
  std::set<std::string> given;                                ///< the fields that are in the file

  bool has(const std::string& field) const { return values.contains(field); }
  template <class T>
  const T& get(const std::string& field) const {
    return std::get<T>(values.at(field));
  }
  /// The objects of a field; none when it was not given.
  const std::vector<ParsedObject>& all(const std::string& field) const;
  /// The object of a field, or nullptr.
  const ParsedObject* one(const std::string& field) const;
};

/// Reads as much as possible; errors go to `problems`, and the result is complete only when there are none.
ParsedObject read_record(const Json& value, const ObjectSchema& shape, const std::string& path, Problems& problems);

}  // namespace brio

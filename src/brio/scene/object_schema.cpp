#include "brio/scene/object_schema.hpp"

namespace brio {

Field any_of(std::vector<Option> accepted) {
  Field field;
  field.key = accepted[0].key;
  field.doc = accepted[0].doc;
  field.required = accepted[0].required;
  field.accepted = std::move(accepted);
  return field;
}

std::string Field::expected() const {
  switch (form) {
    case Form::object:
      return "an object {…}";
    case Form::list:
      return "a list of objects [{…}, …]";
    case Form::map:
      return "an object of named objects {\"name\": {…}, …}";
    case Form::value:
      break;
  }
  std::string text;
  for (const Option& option : accepted) text += (text.empty() ? "" : " or ") + option.expected();
  return text;
}

}  // namespace brio

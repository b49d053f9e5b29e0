#include "brio/scene/parsed_object.hpp"

#include "brio/core/join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace brio {
namespace {

std::string shown(const Json& value) { return shorten(value.dump()); }

/// A key as it appears in messages: short, and without control characters.
std::string shown_key(const std::string& key) {
  const std::string quoted = Json(key).dump();
  return shorten(quoted.substr(1, quoted.size() - 2));
}

/// The list's elements, if every one of them converts.
template <class T, class Convert>
std::optional<std::vector<T>> converted(const Json& list, const Convert& convert) {
  if (!list.is_array()) return {};
  std::vector<T> out;
  for (const Json& element : list) {
    const std::optional<T> item = convert(element);
    if (!item) return {};
    out.push_back(*item);
  }
  return out;
}

std::optional<double> as_number(const Json& value) {
  if (!value.is_number()) return {};
  return value.get<double>();
}

std::optional<std::string> as_text(const Json& value) {
  if (!value.is_string()) return {};
  return value.get<std::string>();
}

std::optional<Pair> as_pair(const Json& value) {
  const auto numbers = converted<double>(value, as_number);
  if (!numbers || numbers->size() != 2) return {};
  return Pair{(*numbers)[0], (*numbers)[1]};
}

std::optional<Vec3> as_vec3(const Json& value) {
  const auto numbers = converted<double>(value, as_number);
  if (!numbers || numbers->size() != 3) return {};
  return Vec3(numbers->data());
}

/// The value in the option's type, or monostate where its type is another. A list of three numbers is a vector for one
/// option and a list for another, hence by kind.
OptionValue as_kind(const Json& value, Option::Kind kind) {
  using Kind = Option::Kind;
  const auto or_nothing = [](const auto& found) { return found ? OptionValue(*found) : OptionValue(); };
  switch (kind) {
    case Kind::boolean:
      return value.is_boolean() ? OptionValue(value.get<bool>()) : OptionValue();
    case Kind::number:
    case Kind::integer:
      return or_nothing(as_number(value));
    case Kind::text:
    case Kind::choice:
      return or_nothing(as_text(value));
    case Kind::numbers:
    case Kind::integers:
      return or_nothing(converted<double>(value, as_number));
    case Kind::vec3:
      return or_nothing(as_vec3(value));
    case Kind::pairs:
      return or_nothing(converted<Pair>(value, as_pair));
    case Kind::vec3s:
      return or_nothing(converted<Vec3>(value, as_vec3));
    case Kind::names:
      return or_nothing(converted<std::string>(value, as_text));
    case Kind::item:
    case Kind::items:
    case Kind::named_items:
      break;  // read as objects
  }
  return {};
}

class RecordReader {
 public:
  RecordReader(const Json& value, const ObjectSchema& shape, ParsedObject& record, Problems& problems)
      : value_(value), shape_(shape), record_(record), problems_(problems) {}

  void read() {
    for (const Field& field : shape_.fields) read_field(field);
    for (const auto& group : shape_.exactly_one) check_group(group);
    check_presence(shape_.at_least_one);
    if (!shape_.variants.empty() && !read_variant()) return;  // what else is known depends on the row
    refuse_unknown_keys();
  }

 private:
  std::string path_of(const std::string& key) const { return join_path(record_.path, key); }

  void read_field(const Field& field) {
    known_.push_back(field.key);
    const auto found = value_.find(field.key);
    if (found == value_.end()) {
      if (field.required) missing(field.key, field.expected(), field.doc);
      if (field.form == Field::Form::value && !std::holds_alternative<std::monostate>(field.accepted[0].fallback))
        record_.values[field.key] = field.accepted[0].fallback;
      if (field.empty_if_absent) read_children(field, Json::object());
      return;
    }
    record_.given.insert(field.key);
    if (field.form == Field::Form::value) {
      if (const auto accepted = accept(field.accepted, *found, field.key, field.expected()))
        record_.values[field.key] = *accepted;
    } else {
      read_children(field, *found);
    }
  }

  void read_children(const Field& field, const Json& found) {
    const bool fits = field.form == Field::Form::list ? found.is_array() : found.is_object();
    if (!fits) {
      problems_.add(path_of(field.key), fmt::format("expected {} ({})", field.expected(), field.doc), shown(found));
      return;
    }
    std::vector<ParsedObject>& children = record_.children[field.key];
    const auto add = [&](const Json& child, const std::string& path, const std::string& key) {
      children.push_back(read_record(child, field.shape, path, problems_));
      children.back().key = key;
    };
    const std::string path = path_of(field.key);
    if (field.form == Field::Form::object) add(found, path, "");
    if (field.form == Field::Form::list)
      for (size_t i = 0; i < found.size() && !problems_.full(); ++i) add(found[i], fmt::format("{}[{}]", path, i), "");
    if (field.form == Field::Form::map)
      for (auto item = found.begin(); item != found.end() && !problems_.full(); ++item)
        add(item.value(), join_path(path, shown_key(item.key())), item.key());
  }

  /// The value in the type of the first option that accepts it; otherwise the error, or the list of accepted values.
  std::optional<OptionValue> accept(const std::vector<Option>& options, const Json& found, const std::string& key,
                                    const std::string& expected) {
    if (options[0].takes_items()) return read_items(options[0], found, key);
    std::string complaint;
    for (const Option& option : options) {
      OptionValue typed = as_kind(found, option.kind);
      complaint = option.complaint(typed);
      if (complaint.empty()) return typed;
    }
    problems_.add(path_of(key), options.size() == 1 ? complaint : "expected " + expected, shown(found));
    return {};
  }

  std::optional<OptionValue> read_items(const Option& option, const Json& found, const std::string& key) {
    using Kind = Option::Kind;
    const ObjectSchema shape{{}, {{option.tag, option.tag, option.doc, option.rows(), ""}}, {}};
    const std::string path = path_of(key);
    const size_t problems = problems_.count();
    Items items;
    const auto add = [&](const Json& value, const std::string& where, const std::string& name) {
      const ParsedObject record = read_record(value, shape, where, problems_);
      items.push_back({record.row, record.options, where, name});
    };
    if (option.kind == Kind::item) {
      add(found, path, "");
    } else if (option.kind == Kind::items && found.is_array()) {
      for (size_t i = 0; i < found.size() && !problems_.full(); ++i) add(found[i], fmt::format("{}[{}]", path, i), "");
    } else if (option.kind == Kind::named_items && found.is_object()) {
      for (auto item = found.begin(); item != found.end() && !problems_.full(); ++item)
        add(item.value(), join_path(path, shown_key(item.key())), item.key());
    }
    if (items.empty()) problems_.add(path, "expected " + option.expected(), shown(found));
    if (problems_.count() > problems || problems_.full()) return {};
    return items;
  }

  void check_presence(const std::vector<std::string>& keys) {
    if (keys.empty() || std::any_of(keys.begin(), keys.end(), [&](const auto& k) { return value_.contains(k); }))
      return;
    problems_.add(record_.path, fmt::format("missing key: at least one of \"{}\" is needed", joined(keys, "\", \"")));
  }

  void check_group(const std::vector<std::string>& keys) {
    const auto count = std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return value_.contains(k); });
    if (count == 0)
      problems_.add(record_.path, fmt::format("missing key: one of \"{}\" is needed", joined(keys, "\", \"")));
    if (count > 1)
      problems_.add(record_.path, fmt::format("\"{}\" exclude each other; keep one", joined(keys, "\" and \"")));
  }

  /// Finds out which row is meant and reads its options; false when that cannot be determined.
  bool read_variant() {
    std::vector<const Variant*> used;
    std::vector<std::string> tags;
    for (const Variant& variant : shape_.variants) {
      tags.push_back(variant.tag);
      if (value_.contains(variant.tag)) used.push_back(&variant);
    }
    if (used.size() > 1) {
      problems_.add(record_.path,
                    fmt::format("\"{}\" and \"{}\" exclude each other; keep one", used[0]->tag, used[1]->tag));
      return false;
    }
    if (used.empty()) {
      const Variant& first = shape_.variants[0];
      if (first.fallback.empty()) return missing_tag(tags);
      return read_row(first, first.fallback);
    }
    const Json& name = value_.at(used[0]->tag);
    if (!name.is_string()) {
      problems_.add(path_of(used[0]->tag), "expected " + expected_tag(*used[0]), shown(name));
      return false;
    }
    return read_row(*used[0], name.get<std::string>());
  }

  static std::string expected_tag(const Variant& variant) {
    if (variant.kind.empty()) return "a string";
    return fmt::format("one of {}", joined(names_of(variant.rows), ", "));
  }

  bool missing_tag(const std::vector<std::string>& tags) {
    const Variant& first = shape_.variants[0];
    if (tags.size() == 1) {
      missing(first.tag, expected_tag(first), first.doc);
    } else {
      problems_.add(record_.path, fmt::format("missing key: one of \"{}\" is needed", joined(tags, "\", \"")));
    }
    return false;
  }

  bool read_row(const Variant& variant, const std::string& name) {
    known_.insert(known_.begin(), variant.tag);
    record_.tag = variant.tag;
    record_.row = name;
    if (variant.kind.empty()) return read_options(variant.options);  // a free text, such as a file's name
    const auto row =
        std::find_if(variant.rows.begin(), variant.rows.end(), [&](const Entry& e) { return e.name == name; });
    if (row == variant.rows.end()) {
      problems_.add(path_of(variant.tag), unknown_name(variant.kind, shown_key(name), names_of(variant.rows)),
                    shown(name));
      return false;
    }
    return read_options(row->options);
  }

  bool read_options(const std::vector<Option>& described) {
    std::map<std::string, OptionValue> options;
    bool complete = true;
    for (const Option& option : described) {
      known_.push_back(option.key);
      const auto found = value_.find(option.key);
      if (found == value_.end()) {
        if (option.required) missing(option.key, option.expected(), option.doc), complete = false;
      } else if (const auto accepted = accept({option}, *found, option.key, option.expected())) {
        options[option.key] = *accepted;
      } else {
        complete = false;
      }
    }
    if (complete) record_.options = Options(described, options, record_.path);
    return true;
  }

  void missing(const std::string& key, const std::string& expected, const std::string& doc) {
    problems_.add(path_of(key), fmt::format("missing key: expected {} ({})", expected, doc));
  }

  void refuse_unknown_keys() {
    for (auto item = value_.begin(); item != value_.end() && !problems_.full(); ++item)
      if (std::find(known_.begin(), known_.end(), item.key()) == known_.end()) {
        const std::string key = shown_key(item.key());
        problems_.add(path_of(key), unknown_name("key", key, known_));
      }
  }

  const Json& value_;
  const ObjectSchema& shape_;
  ParsedObject& record_;
  Problems& problems_;
  std::vector<std::string> known_;  ///< the keys that this object may have
};

}  // namespace

const std::vector<ParsedObject>& ParsedObject::all(const std::string& field) const {
  static const std::vector<ParsedObject> none;
  const auto found = children.find(field);
  return found == children.end() ? none : found->second;
}

const ParsedObject* ParsedObject::one(const std::string& field) const {
  const std::vector<ParsedObject>& found = all(field);
  return found.empty() ? nullptr : &found[0];
}

ParsedObject read_record(const Json& value, const ObjectSchema& shape, const std::string& path, Problems& problems) {
  ParsedObject record;
  record.path = path;
  if (value.is_object())
    RecordReader(value, shape, record, problems).read();
  else
    problems.add(path, "expected an object {…}", shown(value));
  return record;
}

}  // namespace brio

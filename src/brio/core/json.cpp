#include "brio/core/json.hpp"

#include "brio/core/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace brio {

/// To and from the library that knows the text.
struct JsonText {
  using Text = nlohmann::ordered_json;

  static Text to_text(const Json& json) {
    using Kind = Json::Kind;
    switch (json.kind_) {
      case Kind::null:
        return nullptr;
      case Kind::boolean:
        return json.number_.boolean;
      case Kind::integer:
        return json.number_.integer;
      case Kind::natural:
        return json.number_.natural;
      case Kind::real:
        return json.number_.real;
      case Kind::text:
        return json.text_;
      case Kind::array: {
        Text::array_t list;
        list.reserve(json.members_.size());
        for (const Json::Member& member : json.members_) list.push_back(to_text(member.value));
        return list;
      }
      case Kind::object: {
        Text::object_t object;
        object.reserve(json.members_.size());
        for (const Json::Member& member : json.members_) object.emplace_back(member.key, to_text(member.value));
        return object;
      }
    }
    return nullptr;
  }

  static Json from_text(const Text& text) {
    switch (text.type()) {
      case Text::value_t::boolean:
        return text.get<bool>();
      case Text::value_t::number_integer:
        return text.get<std::int64_t>();
      case Text::value_t::number_unsigned:
        return text.get<std::uint64_t>();
      case Text::value_t::number_float:
        return text.get<double>();
      case Text::value_t::string:
        return text.get<std::string>();
      case Text::value_t::array: {
        Json list = Json::array();
        for (const Text& value : text) list.push_back(from_text(value));
        return list;
      }
      case Text::value_t::object: {
        Json object = Json::object();
        for (const auto& [key, value] : text.items()) object.members_.push_back({key, from_text(value)});
        return object;
      }
      default:
        return nullptr;
    }
  }
};

Json::Json() = default;
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(Kind kind, Number number) : kind_(kind), number_(number) {}
Json::Json(std::nullptr_t) {}
Json::Json(double value) : kind_(Kind::real), number_{.real = value} {}
Json::Json(const char* text) : kind_(Kind::text), text_(text) {}
Json::Json(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
Json::Json(std::string_view text) : kind_(Kind::text), text_(text) {}

Json::Json(std::initializer_list<Json> values) {
  const bool named = std::all_of(values.begin(), values.end(), [](const Json& value) {
    return value.is_array() && value.members_.size() == 2 && value.front().is_string();
  });
  kind_ = named ? Kind::object : Kind::array;
  for (const Json& value : values) {
    if (named)
      (*this)[value.front().text_] = value.back();
    else
      push_back(value);
  }
}

Json Json::array(std::initializer_list<Json> values) {
  Json list;
  list.kind_ = Kind::array;
  for (const Json& value : values) list.push_back(value);
  return list;
}

Json Json::object() {
  Json object;
  object.kind_ = Kind::object;
  return object;
}

Json Json::parse(const std::string& text) {
  try {
    return JsonText::from_text(JsonText::Text::parse(text, nullptr, true, true));
  } catch (const nlohmann::json::exception& error) {
    throw Error(error.what());
  }
}

std::string Json::dump(int indent) const {
  return JsonText::to_text(*this).dump(indent, ' ', false, JsonText::Text::error_handler_t::replace);
}

void Json::become(Kind kind) {
  if (is_null()) kind_ = kind;
  if (kind_ != kind)
    throw Error("expected {} in JSON, found {}", kind == Kind::object ? "an object" : "a list", dump());
}

size_t Json::size() const { return is_structured() ? members_.size() : !is_null(); }

bool Json::contains(std::string_view key) const { return find(key) != end(); }

Json& Json::operator[](std::string_view key) {
  become(Kind::object);
  const iterator found = find(key);
  if (found != end()) return *found;
  members_.push_back({std::string(key), Json()});  // clang 14 constructs no aggregate in place
  return members_.back().value;
}

const Json& Json::at(std::string_view key) const {
  const const_iterator found = find(key);
  if (found == end()) throw Error("the JSON object has no \"{}\"", key);
  return *found;
}

const Json& Json::at(size_t index) const {
  if (index >= members_.size()) throw Error("the JSON list has {} values; there is no [{}]", members_.size(), index);
  return members_[index].value;
}
Json& Json::at(size_t index) { return const_cast<Json&>(std::as_const(*this).at(index)); }

Json& Json::back() { return members_.back().value; }
const Json& Json::back() const { return members_.back().value; }
const Json& Json::front() const { return members_.front().value; }

void Json::push_back(Json value) {
  become(Kind::array);
  members_.push_back({"", std::move(value)});
}

void Json::erase(std::string_view key) {
  std::erase_if(members_, [&](const Member& member) { return member.key == key; });
}

Json::iterator Json::erase(iterator at) {
  const auto next = members_.erase(members_.begin() + (at.at_ - members_.data()));
  return iterator(members_.data() + (next - members_.begin()));
}

void Json::update(const Json& other) {
  for (const Member& member : other.members_) (*this)[member.key] = member.value;
}

void Json::sort_keys() {
  for (Member& member : members_) member.value.sort_keys();
  if (is_object())
    std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) { return a.key < b.key; });
}

Json::iterator Json::begin() { return iterator(members_.data()); }
Json::iterator Json::end() { return iterator(members_.data() + members_.size()); }
Json::const_iterator Json::begin() const { return const_iterator(members_.data()); }
Json::const_iterator Json::end() const { return const_iterator(members_.data() + members_.size()); }

Json::const_iterator Json::find(std::string_view key) const {
  if (!is_object()) return end();
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const Member& member) { return member.key == key; });
  return const_iterator(members_.data() + (found - members_.begin()));
}
Json::iterator Json::find(std::string_view key) {
  return iterator(const_cast<Member*>(std::as_const(*this).find(key).at_));
}

bool Json::boolean() const {
  if (!is_boolean()) throw Error("expected true or false in JSON, found {}", dump());
  return number_.boolean;
}

double Json::number() const {
  if (!is_number()) throw Error("expected a number in JSON, found {}", dump());
  if (kind_ == Kind::integer) return static_cast<double>(number_.integer);
  return kind_ == Kind::natural ? static_cast<double>(number_.natural) : number_.real;
}

const std::string& Json::text() const {
  if (!is_string()) throw Error("expected a text in JSON, found {}", dump());
  return text_;
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) return number() == other.number();
  if (kind_ != other.kind_) return false;
  if (is_boolean()) return number_.boolean == other.number_.boolean;
  if (is_object()) {
    return size() == other.size() && std::all_of(members_.begin(), members_.end(), [&](const Member& member) {
             return other.contains(member.key) && other.at(member.key) == member.value;
           });
  }
  return text_ == other.text_ &&
         std::equal(members_.begin(), members_.end(), other.members_.begin(), other.members_.end(),
                    [](const Member& a, const Member& b) { return a.value == b.value; });
}

std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

}  // namespace brio

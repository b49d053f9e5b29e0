#pragma once
// A JSON value: what scene files are read into, and what results are written from. Its interface is a part of
// nlohmann's, which reads and writes the text; that library's own type is a template that takes seconds to compile
// wherever it is used, and this one is compiled once. The keys of an object keep their order.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace brio {

class Json {
 public:
  struct Member;
  template <class Value, class MemberPointer>
  class Iterator;
  using iterator = Iterator<Json, Member*>;
  using const_iterator = Iterator<const Json, const Member*>;

  Json();
  Json(std::nullptr_t);
  template <std::same_as<bool> Bool>
  Json(Bool value) : Json(Kind::boolean, Number{.boolean = value}) {}
  template <std::signed_integral Int>
  Json(Int value) : Json(Kind::integer, Number{.integer = value}) {}
  template <std::unsigned_integral Int>
  requires(!std::same_as<Int, bool>) Json(Int value) : Json(Kind::natural, Number{.natural = value}) {}
  Json(double value);
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  /// An array, or an object where every value is an array of two of which the first is a text.
  Json(std::initializer_list<Json> values);
  template <class T>
  requires(!std::same_as<T, Member>) Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <class T, size_t N>
  Json(const std::array<T, N>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <class T>
  Json(const std::map<std::string, T>& values) : Json(object()) {
    for (const auto& [key, value] : values) (*this)[key] = value;
  }
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> values = {});
  static Json object();
  /// Of text, whose comments are left out; throws Error.
  static Json parse(const std::string& text);

  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_number() const { return is_number_integer() || kind_ == Kind::real; }
  bool is_number_integer() const { return kind_ == Kind::integer || kind_ == Kind::natural; }
  bool is_string() const { return kind_ == Kind::text; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  bool is_structured() const { return is_array() || is_object(); }

  size_t size() const;  ///< of what has no parts, 1; of null, 0
  bool empty() const { return size() == 0; }
  bool contains(std::string_view key) const;
  /// Made where it is missing; a const object must have it.
  Json& operator[](std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  const Json& operator[](const char* key) const { return at(std::string_view(key)); }
  template <std::integral Int>
  Json& operator[](Int index) {
    return at(static_cast<size_t>(index));
  }
  template <std::integral Int>
  const Json& operator[](Int index) const {
    return at(static_cast<size_t>(index));
  }
  const Json& at(std::string_view key) const;  ///< throws Error where there is none
  const Json& at(size_t index) const;
  Json& at(size_t index);
  Json& back();
  const Json& back() const;
  const Json& front() const;
  void push_back(Json value);
  void erase(std::string_view key);
  iterator erase(iterator at);
  /// Takes the members of the other object over, in place of its own of the same keys.
  void update(const Json& other);
  /// Puts the keys of all objects inside in the order of the alphabet.
  void sort_keys();

  iterator begin();
  iterator end();
  const_iterator begin() const;
  const_iterator end() const;
  iterator find(std::string_view key);
  const_iterator find(std::string_view key) const;
  /// Keys and values: for (const auto& [key, value] : object.items()).
  const std::vector<Member>& items() const { return members_; }

  /// Throws Error where the value is of another kind.
  template <class T>
  T get() const {
    if constexpr (std::is_same_v<T, bool>)
      return boolean();
    else if constexpr (std::is_same_v<T, std::string>)
      return text();
    else if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(number());
    else
      return list<typename T::value_type>();
  }

  /// Without an indentation, on one line. Bytes that are no UTF-8 are replaced.
  std::string dump(int indent = -1) const;

  bool operator==(const Json& other) const;

 private:
  enum class Kind : std::uint8_t { null, boolean, integer, natural, real, text, array, object };
  union Number {
    bool boolean;
    std::int64_t integer;
    std::uint64_t natural;
    double real;
  };
  Json(Kind kind, Number number);
  bool boolean() const;
  double number() const;
  const std::string& text() const;
  template <class T>
  std::vector<T> list() const;
  void become(Kind kind);
  friend struct JsonText;

  Kind kind_ = Kind::null;
  Number number_ = {.natural = 0};
  std::string text_;
  std::vector<Member> members_;  ///< of an array, without keys
};

struct Json::Member {
  std::string key;
  Json value;
};

template <class T>
std::vector<T> Json::list() const {
  std::vector<T> values;
  for (const Member& member : members_) values.push_back(member.value.get<T>());
  return values;
}

template <class Value, class MemberPointer>
class Json::Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = Json;
  using reference = Value&;
  using pointer = Value*;
  using iterator_category = std::forward_iterator_tag;

  Iterator() = default;
  explicit Iterator(MemberPointer at) : at_(at) {}
  Value& operator*() const { return at_->value; }
  Value* operator->() const { return &at_->value; }
  const std::string& key() const { return at_->key; }
  Value& value() const { return at_->value; }
  Iterator& operator++() { return ++at_, *this; }
  Iterator operator++(int) { return Iterator(at_++); }
  bool operator==(const Iterator&) const = default;

 private:
  friend class Json;
  MemberPointer at_ = nullptr;
};

}  // namespace brio

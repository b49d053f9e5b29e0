#include "brio/core/options.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

Option make(Option::Kind kind, std::string_view key, std::string_view unit, std::string_view doc) {
  Option option;
  option.kind = kind;
  option.key = key;
  option.unit = unit;
  option.doc = doc;
  return option;
}

Option make_items(Option::Kind kind, std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                  std::string_view doc) {
  Option option = make(kind, key, "", doc);
  option.tag = tag;
  option.rows = rows;
  return option;
}

bool is_whole(double x) { return x == std::floor(x) && std::fabs(x) < 2147483648.0; }

bool in_range(const Option& o, double x) {
  return std::isfinite(x) && (o.least_excluded ? x > o.least : x >= o.least) &&
         (o.most_excluded ? x < o.most : x <= o.most);
}

/// Whether every number in the value is finite and in range; the kinds without numbers always are.
struct NumbersInRange {
  const Option& o;
  bool operator()(std::monostate) const { return true; }
  bool operator()(bool) const { return true; }
  bool operator()(const std::string&) const { return true; }
  bool operator()(const std::vector<std::string>&) const { return true; }
  bool operator()(const Items&) const { return true; }
  bool operator()(double x) const { return in_range(o, x); }
  bool operator()(const Vec3& x) const { return in_range(o, x[0]) && in_range(o, x[1]) && in_range(o, x[2]); }
  bool operator()(const std::vector<double>& list) const {
    for (double x : list)
      if (!in_range(o, x)) return false;
    return true;
  }
  bool operator()(const std::vector<Vec3>& list) const {
    for (const Vec3& x : list)
      if (!(*this)(x)) return false;
    return true;
  }
  bool operator()(const std::vector<Pair>& list) const {
    for (const Pair& p : list)
      if (!std::isfinite(p[0]) || !std::isfinite(p[1])) return false;
    return true;
  }
};

bool holds_kind(const Option& o, const OptionValue& value) {
  using Kind = Option::Kind;
  switch (o.kind) {
    case Kind::number:
      return std::holds_alternative<double>(value);
    case Kind::integer: {
      const double* x = std::get_if<double>(&value);
      return x && is_whole(*x);
    }
    case Kind::boolean:
      return std::holds_alternative<bool>(value);
    case Kind::text:
    case Kind::choice:
      return std::holds_alternative<std::string>(value);
    case Kind::vec3:
      return std::holds_alternative<Vec3>(value);
    case Kind::numbers:
      return std::holds_alternative<std::vector<double>>(value);
    case Kind::integers: {
      const auto* list = std::get_if<std::vector<double>>(&value);
      return list && std::all_of(list->begin(), list->end(), is_whole);
    }
    case Kind::pairs:
      return std::holds_alternative<std::vector<Pair>>(value);
    case Kind::vec3s:
      return std::holds_alternative<std::vector<Vec3>>(value);
    case Kind::names:
      return std::holds_alternative<std::vector<std::string>>(value);
    case Kind::item:
    case Kind::items:
    case Kind::named_items: {
      const Items* list = std::get_if<Items>(&value);
      return list && (o.kind == Kind::item ? list->size() == 1 : !list->empty());
    }
  }
  return false;
}

std::string range_text(const Option& o) {
  const bool low = std::isfinite(o.least), high = std::isfinite(o.most);
  std::string text;
  if (low) text += fmt::format(" {} {}", o.least_excluded ? ">" : ">=", o.least);
  if (low && high) text += " and";
  if (high) text += fmt::format(" {} {}", o.most_excluded ? "<" : "<=", o.most);
  return text;
}

}  // namespace

OptionValue::OptionValue() = default;
OptionValue::OptionValue(const OptionValue&) = default;
OptionValue::OptionValue(OptionValue&&) noexcept = default;
OptionValue& OptionValue::operator=(const OptionValue&) = default;
OptionValue& OptionValue::operator=(OptionValue&&) noexcept = default;
OptionValue::~OptionValue() = default;

Option::Option() = default;
Option::Option(const Option&) = default;
Option::Option(Option&&) noexcept = default;
Option& Option::operator=(const Option&) = default;
Option& Option::operator=(Option&&) noexcept = default;
Option::~Option() = default;

Options::Options() = default;
Options::Options(const Options&) = default;
Options::Options(Options&&) noexcept = default;
Options& Options::operator=(const Options&) = default;
Options& Options::operator=(Options&&) noexcept = default;
Options::~Options() = default;
bool Options::operator==(const Options& other) const { return values_ == other.values_; }
bool Item::operator==(const Item& other) const {
  return name == other.name && key == other.key && options == other.options;
}

Option Option::number(std::string_view key, std::string_view unit, std::string_view doc) {
  return make(Kind::number, key, unit, doc);
}
Option Option::integer(std::string_view key, std::string_view doc) { return make(Kind::integer, key, "", doc); }
Option Option::boolean(std::string_view key, std::string_view doc) { return make(Kind::boolean, key, "", doc); }
Option Option::text(std::string_view key, std::string_view doc) { return make(Kind::text, key, "", doc); }
Option Option::choice(std::string_view key, std::vector<std::string> choices, std::string_view doc) {
  Option option = make(Kind::choice, key, "", doc);
  option.choices = std::move(choices);
  return option;
}
Option Option::vec3(std::string_view key, std::string_view unit, std::string_view doc) {
  return make(Kind::vec3, key, unit, doc);
}
Option Option::numbers(std::string_view key, std::string_view unit, std::string_view doc) {
  return make(Kind::numbers, key, unit, doc);
}
Option Option::integers(std::string_view key, std::string_view doc) { return make(Kind::integers, key, "", doc); }
Option Option::pairs(std::string_view key, std::string_view unit, std::string_view doc) {
  return make(Kind::pairs, key, unit, doc);
}
Option Option::vec3s(std::string_view key, std::string_view unit, std::string_view doc) {
  return make(Kind::vec3s, key, unit, doc);
}
Option Option::names(std::string_view key, std::string_view doc, std::vector<std::string> choices) {
  Option option = make(Kind::names, key, "", doc);
  option.choices = std::move(choices);
  return option;
}

Option Option::item(std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                    std::string_view doc) {
  return make_items(Kind::item, key, tag, rows, doc);
}
Option Option::items(std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                     std::string_view doc) {
  return make_items(Kind::items, key, tag, rows, doc);
}
Option Option::named_items(std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                           std::string_view doc) {
  return make_items(Kind::named_items, key, tag, rows, doc);
}

Option Option::with_default(OptionValue value) && {
  fallback = std::move(value);
  required = false;
  return std::move(*this);
}
Option Option::optional() && {
  required = false;
  return std::move(*this);
}
Option Option::at_least(double bound) && {
  least = bound;
  return std::move(*this);
}
Option Option::above(double bound) && {
  least = bound;
  least_excluded = true;
  return std::move(*this);
}
Option Option::at_most(double bound) && {
  most = bound;
  return std::move(*this);
}
Option Option::below(double bound) && {
  most = bound;
  most_excluded = true;
  return std::move(*this);
}

std::string Option::expected() const {
  std::string text;
  switch (kind) {
    case Kind::number:
      text = "a number";
      break;
    case Kind::integer:
      text = "a whole number";
      break;
    case Kind::boolean:
      text = "true or false";
      break;
    case Kind::text:
      text = "a string";
      break;
    case Kind::choice:
      text = fmt::format("one of {}", joined(choices, ", "));
      break;
    case Kind::vec3:
      text = "three numbers [x, y, z]";
      break;
    case Kind::numbers:
      text = "a list of numbers";
      break;
    case Kind::integers:
      text = "a list of whole numbers";
      break;
    case Kind::pairs:
      text = "a list of pairs [[a, b], …]";
      break;
    case Kind::vec3s:
      text = "a list of [x, y, z]";
      break;
    case Kind::names:
      text = choices.empty() ? "a list of names" : fmt::format("a list with any of {}", joined(choices, ", "));
      break;
    case Kind::item:
      text = fmt::format("a {} {{\"{}\": …}}", tag, tag);
      break;
    case Kind::items:
      text = fmt::format("a list of {}s [{{\"{}\": …}}, …]", tag, tag);
      break;
    case Kind::named_items:
      text = fmt::format("an object of named {}s {{\"name\": {{\"{}\": …}}, …}}", tag, tag);
      break;
  }
  text += range_text(*this);
  if (!unit.empty()) text += fmt::format(" [{}]", unit);
  return text;
}

std::string Option::complaint(const OptionValue& value) const {
  if (!holds_kind(*this, value)) return "expected " + expected();
  if (!std::visit(NumbersInRange{*this}, value)) return "expected " + expected();
  std::vector<std::string> chosen;
  if (kind == Kind::choice) chosen = {std::get<std::string>(value)};
  if (kind == Kind::names && !choices.empty()) chosen = std::get<std::vector<std::string>>(value);
  for (const std::string& name : chosen) {
    if (std::find(choices.begin(), choices.end(), name) != choices.end()) continue;
    const std::string meant = nearest(name, choices);
    return "expected " + expected() + (meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant));
  }
  return "";
}

Options::Options(const std::vector<Option>& described, const std::map<std::string, OptionValue>& given,
                 const std::string& where) {
  for (const Option& option : described) {
    const auto found = given.find(option.key);
    if (found != given.end()) {
      const std::string complaint = option.complaint(found->second);
      if (!complaint.empty()) throw Error("{}.{}: {}", where, option.key, complaint);
      values_[option.key] = found->second;
    } else if (option.required) {
      throw Error("{}: \"{}\" is missing: expected {} ({})", where, option.key, option.expected(), option.doc);
    } else if (!std::holds_alternative<std::monostate>(option.fallback)) {
      values_[option.key] = option.fallback;
    }
  }
  std::vector<std::string> known;
  for (const Option& option : described) known.push_back(option.key);
  for (const auto& [key, value] : given) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error("{}: {}", where, unknown_name("key", key, known));
    }
  }
}

bool Options::has(const std::string& key) const { return values_.contains(key); }

template <class T>
const T& Options::get(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw Error("option \"{}\" has no value", key);
  return std::get<T>(found->second);
}

double Options::number(const std::string& key) const { return get<double>(key); }
int Options::integer(const std::string& key) const { return static_cast<int>(get<double>(key)); }
bool Options::boolean(const std::string& key) const { return get<bool>(key); }
const std::string& Options::text(const std::string& key) const { return get<std::string>(key); }
const Vec3& Options::vec3(const std::string& key) const { return get<Vec3>(key); }
const std::vector<double>& Options::numbers(const std::string& key) const { return get<std::vector<double>>(key); }
const std::vector<Pair>& Options::pairs(const std::string& key) const { return get<std::vector<Pair>>(key); }
const std::vector<Vec3>& Options::vec3s(const std::string& key) const { return get<std::vector<Vec3>>(key); }
const std::vector<std::string>& Options::names(const std::string& key) const {
  return get<std::vector<std::string>>(key);
}

const Items& Options::items(const std::string& key) const { return get<Items>(key); }
const Item& Options::item(const std::string& key) const { return items(key).at(0); }

std::string unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const std::string meant = nearest(name, known);
  std::string text = fmt::format("unknown {} \"{}\"", kind, name);
  if (!meant.empty()) text += fmt::format("; did you mean \"{}\"?", meant);
  return text + fmt::format(" (known: {})", joined(known, ", "));
}

void throw_unknown(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  throw Error(unknown_name(kind, name, known));
}

}  // namespace brio

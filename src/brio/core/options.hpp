#pragma once
// Described options. Every row of every table (materials, integrators, generators, loads …) lists its options once;
// the scene reader, the JSON schema, `brio list`, the docs and the tests all read that list.

#include "brio/core/types.hpp"

#include <array>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brio {

struct Entry;
struct Item;

using Pair = std::array<double, 2>;
using Items = std::vector<Item>;

/// One of the kinds of values. A type of its own, whose copies are compiled once.
struct OptionValue : std::variant<std::monostate, bool, double, std::string, Vec3, std::vector<double>,
                                  std::vector<Pair>, std::vector<Vec3>, std::vector<std::string>, Items> {
  using variant::variant;
  OptionValue();
  OptionValue(const OptionValue&);
  OptionValue(OptionValue&&) noexcept;
  OptionValue& operator=(const OptionValue&);
  OptionValue& operator=(OptionValue&&) noexcept;
  ~OptionValue();
};

/// One option: its key, what it means, and which values it takes. Without a fallback it must be given, unless optional.
struct Option {
  enum class Kind {
    number,
    integer,
    boolean,
    text,
    choice,
    vec3,
    numbers,
    integers,
    pairs,
    vec3s,
    names,
    item,
    items,
    named_items
  };

  Option();
  Option(const Option&);
  Option(Option&&) noexcept;
  Option& operator=(const Option&);
  Option& operator=(Option&&) noexcept;
  ~Option();

  std::string key;
  Kind kind = Kind::number;
  std::string unit;  ///< SI, "" for a pure number
  std::string doc;
  OptionValue fallback;
  bool required = true;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false, most_excluded = false;
  std::vector<std::string> choices;  ///< of a choice; of names, where not empty, what each may be
  std::string tag;                   ///< of items: what they are ("shape"), and the key that names the row of each
  const std::vector<Entry>& (*rows)() = nullptr;  ///< of items: the table they are from, which may refer to itself

  static Option number(std::string_view key, std::string_view unit, std::string_view doc);
  static Option integer(std::string_view key, std::string_view doc);
  static Option boolean(std::string_view key, std::string_view doc);
  static Option text(std::string_view key, std::string_view doc);
  static Option choice(std::string_view key, std::vector<std::string> choices, std::string_view doc);
  static Option vec3(std::string_view key, std::string_view unit, std::string_view doc);
  static Option numbers(std::string_view key, std::string_view unit, std::string_view doc);
  static Option integers(std::string_view key, std::string_view doc);
  static Option pairs(std::string_view key, std::string_view unit, std::string_view doc);
  static Option vec3s(std::string_view key, std::string_view unit, std::string_view doc);
  static Option names(std::string_view key, std::string_view doc, std::vector<std::string> choices = {});

  /// One object that names a row of a table and gives its options: {"shape": "sphere", "radius": 1}.
  static Option item(std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                     std::string_view doc);
  static Option items(std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                      std::string_view doc);
  static Option named_items(std::string_view key, std::string_view tag, const std::vector<Entry>& (*rows)(),
                            std::string_view doc);
  bool takes_items() const { return kind == Kind::item || kind == Kind::items || kind == Kind::named_items; }

  Option with_default(OptionValue value) &&;
  Option optional() &&;  ///< may be left out and then has no value
  Option at_least(double bound) &&;
  Option above(double bound) &&;
  Option at_most(double bound) &&;
  Option below(double bound) &&;

  /// What is wrong with the value, or "" when it is fine.
  std::string complaint(const OptionValue& value) const;
  /// "a number > 0 [Pa]", for messages and docs.
  std::string expected() const;
};

/// A row of a table: its name in scene files, a one-line summary, and its options.
struct Entry {
  std::string name;
  std::string summary;
  std::vector<Option> options;
};

/// Values for the options of an entry, checked and completed with the defaults.
class Options {
 public:
  Options();  ///< no options at all
  Options(const Options&);
  Options(Options&&) noexcept;
  Options& operator=(const Options&);
  Options& operator=(Options&&) noexcept;
  ~Options();
  /// Throws Error naming `where` for an unknown, missing, ill-typed or out-of-range value.
  Options(const std::vector<Option>& described, const std::map<std::string, OptionValue>& given,
          const std::string& where);

  bool has(const std::string& key) const;
  double number(const std::string& key) const;
  int integer(const std::string& key) const;
  bool boolean(const std::string& key) const;
  const std::string& text(const std::string& key) const;
  const Vec3& vec3(const std::string& key) const;
  const std::vector<double>& numbers(const std::string& key) const;  ///< of numbers and of integers
  const std::vector<Pair>& pairs(const std::string& key) const;
  const std::vector<Vec3>& vec3s(const std::string& key) const;
  const std::vector<std::string>& names(const std::string& key) const;
  const Item& item(const std::string& key) const;
  const Items& items(const std::string& key) const;  ///< named or not

  bool operator==(const Options& other) const;

 private:
  template <class T>
  const T& get(const std::string& key) const;
  std::map<std::string, OptionValue> values_;
};

/// A row of a table with values for its options.
struct Item {
  std::string name;
  Options options;
  std::string path;  ///< where it stands in the file, for messages: "materials[0]"
  std::string key;   ///< what it is called, where it has a name of its own

  /// Wherever they stand.
  bool operator==(const Item& other) const;
};

/// The text that refuses an unknown name: the nearest known one as a suggestion where one is near, and all of them.
std::string unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known);

/// The names of all rows of a table, in its order.
template <class Row>
std::vector<std::string> names_of(const std::vector<Row>& table) {
  std::vector<std::string> names;
  for (const Row& row : table) names.push_back(row.name);
  return names;
}

[[noreturn]] void throw_unknown(const std::string& kind, const std::string& name,
                                const std::vector<std::string>& known);

/// The row of that name; throws Error with the nearest known name otherwise.
template <class Row>
const Row& find_row(const std::vector<Row>& table, const std::string& kind, const std::string& name) {
  for (const Row& row : table)
    if (row.name == name) return row;
  throw_unknown(kind, name, names_of(table));
}

}  // namespace brio

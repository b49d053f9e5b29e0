#include "brio/scene/default_text.hpp"

#include "brio/core/join.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

struct ValueToText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
  std::string operator()(const Vec3& v) const { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }
  std::string operator()(const Item& item) const { return item.name; }
  template <class T>
  std::string operator()(const std::vector<T>& list) const {
    std::vector<std::string> parts;
    for (const T& item : list) parts.push_back((*this)(item));
    return fmt::format("[{}]", joined(parts, ", "));
  }
  std::string operator()(const Pair& pair) const { return fmt::format("[{}, {}]", pair[0], pair[1]); }
};

}  // namespace

std::string default_text(const Option& option) {
  if (option.required) return kRequired;
  const std::string text = std::visit(ValueToText{}, option.fallback);
  return text.empty() ? kNoDefault : text;
}

}  // namespace brio

#include "brio/mesh/formats/gmsh_input.hpp"

#include <cmath>

namespace brio {

void GmshInput::item(std::string_view items, std::int64_t announced, std::int64_t seen) {
  if (binary) return;
  text.need_line(items);
  if (text.line().starts_with('$')) {
    text.fail("{} {} are announced, but the section ends after {}", announced, items, seen);
  }
}

std::int64_t GmshInput::checked(ScalarType type, std::string_view what, std::int64_t least, std::int64_t most) {
  const std::int64_t value = type.integer_at(text.bytes(type.bytes, what).data(), *binary);
  if (value < least || value > most) text.fail("{} = {}: must be between {} and {}", what, value, least, most);
  return value;
}

double GmshInput::real(std::string_view what) {
  if (!binary) return text.real(what);
  const double value = ScalarType().real_at(text.bytes(8, what).data(), *binary);
  if (!std::isfinite(value)) text.fail("{} = {}: expected a finite number", what, value);
  return value;
}

std::int64_t GmshInput::count(std::string_view what, int bytes_in_text, int bytes_in_binary) {
  if (!binary) return text.count(what, bytes_in_text);
  const std::int64_t value = size(what);
  require_room(what, value, bytes_in_binary);
  return value;
}

void GmshInput::require_room(std::string_view what, std::int64_t count, std::int64_t bytes_each) const {
  if (count < 0 || count > std::numeric_limits<int>::max() || count > text.bytes_left() / bytes_each) {
    text.fail("{} = {}: the file has only {} bytes left; it is cut off or the number is wrong", what, count,
              text.bytes_left());
  }
}

}  // namespace brio

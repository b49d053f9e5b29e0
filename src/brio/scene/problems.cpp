#include "brio/scene/problems.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

bool at_or_below(const std::string& path, const std::string& top) {
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
}

}  // namespace

void Problems::note_origin(std::string path, std::string origin) {
  origins_.emplace_back(std::move(path), std::move(origin));
}

void Problems::add(const std::string& path, const std::string& text, const std::string& value) {
  if (full()) return;
  std::string line = file_;
  if (!path.empty()) line += ": " + path;
  if (!value.empty()) line += " = " + value;
  line += ": " + text;
  for (const auto& [top, origin] : origins_)
    if (at_or_below(path, top)) line += fmt::format(" (from {})", origin);
  lines_.push_back(std::move(line));
}

void Problems::throw_if_any() const {
  if (lines_.empty()) return;
  throw Error("{}{}", joined(lines_, "\n"), full() ? fmt::format("\n(the first {} problems)", kMost) : "");
}

std::string join_path(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string shorten(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // inside a UTF-8 character
  return text.substr(0, end) + "…";
}

}  // namespace brio

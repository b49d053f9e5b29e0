#pragma once
// Text as a cell of a CSV table.

#include <string>
#include <string_view>

namespace brio {

/// As it is where that is unambiguous, otherwise in quotes.
inline std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace brio

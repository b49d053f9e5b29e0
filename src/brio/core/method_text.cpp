#include "brio/core/method_text.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {

std::vector<std::string> split_text(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    std::string part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

MethodText parse_method_text(const std::string& text) {
  const std::vector<std::string> parts = split_text(text, ':');
  if (parts[0].empty()) throw Error("expected the name of an integrator; `brio list integrators` shows them");
  MethodText method{parts[0], {}};
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals);
    if (equals == std::string::npos || key.empty() || key == "name" || key.find_first_of(".[") != std::string::npos)
      throw Error("\"{}\" is no option; expected key=value, as in newmark:gamma=0.6:h=0.005", parts[i]);
    method.values.emplace_back(key, parts[i].substr(equals + 1));
  }
  return method;
}

}  // namespace brio

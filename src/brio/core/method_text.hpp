#pragma once
// A method as people type it on the command line: "newmark:gamma=0.6:beta=0.3".

#include <string>
#include <utility>
#include <vector>

namespace brio {

struct MethodText {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;  ///< in the order given
};

/// Blanks around the parts do not count. Throws Error where there is no name, and for a part that is no key=value.
MethodText parse_method_text(const std::string& text);

/// The parts between separators, without the blanks around them.
std::vector<std::string> split_text(const std::string& text, char separator);

}  // namespace brio

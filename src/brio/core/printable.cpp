#include "brio/core/printable.hpp"

#include <fmt/format.h>

namespace brio {

std::string printable(std::string_view text) {
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
      shown += fmt::format("\\x{:02x}", c);
    else if (c == 0xc2 && next >= 0x80 && next < 0xa0)  // the second set of controls, in UTF-8
      shown += fmt::format("\\x{:02x}", next), ++i;
    else
      shown += text[i];
  }
  return shown;
}

}  // namespace brio

#pragma once
// Text of files on its way to a terminal, which takes some characters for commands.

#include <string>
#include <string_view>

namespace brio {

/// Control characters written out as "\\x1b"; line ends and tabs stay.
std::string printable(std::string_view text);

}  // namespace brio

#include "brio/core/error.hpp"

namespace brio {

Error::~Error() = default;

std::string Error::formatted(fmt::string_view text, fmt::format_args args) { return fmt::vformat(text, args); }

}  // namespace brio

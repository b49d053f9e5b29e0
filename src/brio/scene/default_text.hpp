#pragma once
// Text about the default of an option, for the reference page and `brio list`.

#include "brio/core/options.hpp"

#include <string>

namespace brio {

constexpr const char* kRequired = "required";
constexpr const char* kNoDefault = "none";

/// The default as JSON, kRequired, or kNoDefault.
std::string default_text(const Option& option);

}  // namespace brio

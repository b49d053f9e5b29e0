#pragma once
// JSON text to values, strictly: duplicate keys, numbers beyond double, bad UTF-8 and absurd nesting are refused with
// the place. Comments are allowed, for people write scene files by hand.

#include "brio/core/json.hpp"

#include <filesystem>
#include <string>

namespace brio {

constexpr int kDeepestNesting = 32;  // the format itself needs five levels

/// Throws Error "file: line 3, column 7: …".
Json parse_json(const std::string& text, const std::string& file);

}  // namespace brio

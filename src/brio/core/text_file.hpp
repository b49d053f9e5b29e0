#pragma once
// A whole file in memory.

#include <cstdint>
#include <filesystem>
#include <string>

namespace brio {

/// The bytes of a file. Throws Error when there is none, when it cannot be read, or when it is longer than `longest`.
std::string read_text(const std::filesystem::path& file, std::uintmax_t longest = std::uintmax_t{1} << 40);

}  // namespace brio

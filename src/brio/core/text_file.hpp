#pragma once
// A whole file in memory.

#include <cstdint>
#include <filesystem>
#include <string>

namespace brio {

/// The bytes of a plain file. Throws Error when there is none or it cannot be read.
std::string read_text(const std::filesystem::path& file);

/// The same for anything that can be read, a pipe as well, as long as it has at most `longest` bytes.
std::string read_text(const std::filesystem::path& file, std::uintmax_t longest);

}  // namespace brio

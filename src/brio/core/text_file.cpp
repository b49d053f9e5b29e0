#include "brio/core/text_file.hpp"

#include "brio/core/error.hpp"

#include <fstream>
#include <limits>

namespace brio {

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) throw Error("{}: is a folder; name a file in it", file.string());
  if (std::filesystem::is_fifo(status)) {
    throw Error("{}: is a pipe; write its contents to a file first", file.string());
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error("{}: is a device or a socket, not a file", file.string());
  }
  return read_text(file, std::numeric_limits<std::uintmax_t>::max());
}

std::string read_text(const std::filesystem::path& file, std::uintmax_t longest) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw Error("{}: no such file", file.string());
  if (std::filesystem::is_directory(status)) throw Error("{}: is a folder, not a file", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("{}: cannot be read; check its permissions", file.string());
  std::string text;
  if (std::filesystem::is_regular_file(status)) text.reserve(std::filesystem::file_size(file, error));
  constexpr size_t kPiece = size_t{1} << 20;
  while (in) {  // piece by piece, since a pipe or a device does not tell its size
    const size_t before = text.size();
    text.resize(before + kPiece);
    in.read(text.data() + before, kPiece);
    text.resize(before + static_cast<size_t>(in.gcount()));
    if (text.size() > longest) throw Error("{}: longer than the {} MiB expected here", file.string(), longest >> 20);
  }
  return text;
}

}  // namespace brio

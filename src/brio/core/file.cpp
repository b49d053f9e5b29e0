#include "brio/core/file.hpp"

#include "brio/core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

namespace brio {
namespace fs = std::filesystem;
namespace {

/// Whether a file is called frame_000123.extension.
bool is_frame(std::string_view name, const std::string& extension) {
  constexpr std::string_view kStart = "frame_", kDigits = "0123456789";
  if (!name.starts_with(kStart) || !name.ends_with("." + extension)) return false;
  name.remove_prefix(kStart.size());
  const size_t digits = std::min(name.find_first_not_of(kDigits), name.size());
  return digits >= 6 && name.substr(digits) == "." + extension;
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) fail("cannot create the file");
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
}

void OutputFile::write(std::string_view bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot write");
}

void OutputFile::seek(long offset) {
  if (std::fseek(file_, offset < 0 ? 0 : offset, offset < 0 ? SEEK_END : SEEK_SET) != 0) fail("cannot seek");
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail("cannot write");
}

void OutputFile::close() {
  std::FILE* file = std::exchange(file_, nullptr);
  if (file && std::fclose(file) != 0) fail("cannot write");
}

void OutputFile::fail(const char* what) const { throw Error("{}: {}: {}", path_.string(), what, std::strerror(errno)); }

void write_whole_file(const fs::path& path, const std::function<void(OutputFile&)>& fill) {
  const fs::path part = path.string() + ".part";
  try {
    OutputFile file(part);
    fill(file);
    file.close();
    fs::rename(part, path);
  } catch (const fs::filesystem_error& error) {
    throw Error("{}: cannot create the file: {}", path.string(), error.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

void append_file(OutputFile& file, const fs::path& from, const std::function<void(std::string_view)>& seen) {
  std::ifstream in(from, std::ios::binary);
  if (!in) throw Error("{}: cannot read the file: {}", from.string(), std::strerror(errno));
  std::vector<char> piece(size_t{1} << 20);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    const std::string_view bytes(piece.data(), static_cast<size_t>(in.gcount()));
    if (seen) seen(bytes);
    file.write(bytes);
  }
  if (in.bad()) throw Error("{}: cannot read the file: {}", from.string(), std::strerror(errno));
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw Error("{}: cannot remove the file: {}", path.string(), error.message());
}

const fs::path& create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error) && !error) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw Error("{}: cannot create the folder: {}", folder.string(), error.message());
  return folder;
}

void create_sequence_folder(const fs::path& folder, const std::string& extension) {
  create_folder(folder);
  try {
    for (const auto& entry : fs::directory_iterator(folder))
      if (is_frame(entry.path().filename().string(), extension)) fs::remove(entry.path());
  } catch (const fs::filesystem_error& error) {
    throw Error("{}: cannot remove the frames of an earlier run: {}", folder.string(), error.code().message());
  }
}

std::string sequence_name(int number, const std::string& extension) {
  return fmt::format("frame_{:06d}.{}", number, extension);
}

}  // namespace brio

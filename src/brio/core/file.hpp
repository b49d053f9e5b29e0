#pragma once
// Files whose every failure (no such folder, no permission, disk full) is an Error with the path and the reason.

#include <bit>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace brio {

static_assert(std::endian::native == std::endian::little, "the binary formats written here are little-endian");

/// A file being written; an older one of that name is emptied.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  template <class T>
  void write(std::span<const T> values) {
    write(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  /// Next byte to be written; -1 is the end.
  void seek(long offset);
  /// Hands everything written so far to the operating system, so that it survives a crash of the program.
  void flush();
  void close();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  std::FILE* file_;
};

/// Writes a temporary file beside `path` and renames it at the end: a file of that name is always complete.
void write_whole_file(const std::filesystem::path& path, const std::function<void(OutputFile&)>& fill);

/// Appends the contents of another file, piece by piece; calls `seen` with each piece.
void append_file(OutputFile& file, const std::filesystem::path& from,
                 const std::function<void(std::string_view)>& seen = {});

/// Removes the file if it exists.
void remove_file(const std::filesystem::path& path);

/// Returns the folder.
const std::filesystem::path& create_folder(const std::filesystem::path& folder);

/// Creates the folder for numbered files and removes those of an earlier run, which would mix with the new ones.
void create_sequence_folder(const std::filesystem::path& folder, const std::string& extension);
/// "frame_000042.vtu"
std::string sequence_name(int number, const std::string& extension);

}  // namespace brio

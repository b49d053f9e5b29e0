#pragma once
// Files whose every failure (no such folder, no permission, disk full) is an Error with the path and the reason.

#include "brio/core/error.hpp"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace brio {

static_assert(std::endian::native == std::endian::little, "the binary formats written here are little-endian");

/// Results that cannot be written although nothing is wrong with what was asked for: a full disk, a broken one.
class WriteError : public Error {
 public:
  using Error::Error;
};

/// A file being written. What a call of flush() hands to the operating system goes in one piece where it is short; an
/// end that could not be written whole is taken back. A new file has the ending ".part" until its first piece is in it,
/// so that there is never an empty one.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);  ///< an older one of that name is emptied
  /// Continues a file that had so many bytes; what came after them is cut off. Throws Error where it is shorter now.
  OutputFile(std::filesystem::path path, std::uint64_t length);
  /// One that takes its name when it is closed, and is gone if it is not.
  struct Whole {};
  OutputFile(std::filesystem::path path, Whole);
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
  /// Cuts the file off there, where the next byte will be written.
  void truncate(std::uint64_t length);
  /// Hands everything written so far to the operating system, so that it survives a crash of the program.
  void flush();
  /// The same to the disk, so that it survives a crash of the machine.
  void sync();
  void close();
  std::uint64_t size();  ///< [byte]

 private:
  void hand_over(std::string_view bytes);
  void take_name();
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_, part_;  ///< part_: its name until it has its own; "" afterwards
  int descriptor_;
  bool whole_ = false;
  std::string buffer_;              ///< goes to at_
  std::uint64_t at_ = 0, end_ = 0;  ///< of what the operating system has
};

/// How sure a file is when a function that writes it returns.
enum class Durable {
  no,  ///< the operating system has it
  yes  ///< the disk has it, and its name in the folder
};

/// Writes a temporary file beside `path` and renames it at the end: a file of that name is always complete.
void write_whole_file(const std::filesystem::path& path, const std::function<void(OutputFile&)>& fill,
                      Durable durable = Durable::no);

/// Appends the contents of another file, piece by piece; calls `seen` with each piece.
void append_file(OutputFile& file, const std::filesystem::path& from,
                 const std::function<void(std::string_view)>& seen = {});
/// A part of another file.
void append_file_part(OutputFile& file, const std::filesystem::path& from, std::uint64_t begin, std::uint64_t bytes);

/// Brings a file that is complete to the disk.
void sync_file(const std::filesystem::path& path);

/// Removes the file if it exists.
void remove_file(const std::filesystem::path& path);

/// Removes the temporary files of write_whole_file() that a process has left in a folder when it was killed. Those
/// whose name `is_ours` says so, without ".part".
void remove_leftovers(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& is_ours);

/// Returns the folder.
const std::filesystem::path& create_folder(const std::filesystem::path& folder);

/// Creates the folder for numbered files and removes those of an earlier run, which would mix with the new ones: all of
/// them, or those from a number on.
void create_sequence_folder(const std::filesystem::path& folder, const std::string& extension, int from = 0);
/// "frame_000042.vtu"
std::string sequence_name(int number, const std::string& extension);

}  // namespace brio

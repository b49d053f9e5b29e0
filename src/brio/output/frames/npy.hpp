#pragma once
// NumPy's files: .npy holds one array, .npz is a zip of them.

#include "brio/core/file.hpp"
#include "brio/core/types.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brio {

template <class T>
std::string numpy_type();
template <>
inline std::string numpy_type<double>() {
  return "<f8";
}
template <>
inline std::string numpy_type<int>() {
  return "<i4";
}

/// An array that grows along its first axis; the file is valid after every row.
class NpyFile {
 public:
  /// `row`: the other axes.
  NpyFile(const std::filesystem::path& path, std::string type, std::vector<Index> row);
  /// Continues a file that had so many rows.
  NpyFile(const std::filesystem::path& path, std::string type, std::vector<Index> row, Index rows);

  template <class T>
  void append(const T* values, Index rows) {
    append_bytes({reinterpret_cast<const char*>(values), static_cast<size_t>(rows * row_size_) * sizeof(T)}, rows);
  }
  /// For types whose items have no type here, such as texts.
  void append_bytes(std::string_view bytes, Index rows);
  void sync() { file_.sync(); }
  void close() { file_.close(); }
  Index rows() const { return rows_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr size_t kHeaderBytes = 128;
  void write_header();
  /// Of a file with so many rows [byte]; the type ends with the size of an item.
  static std::uint64_t length_of(const std::string& type, const std::vector<Index>& row, Index rows);

  std::filesystem::path path_;
  OutputFile file_;
  std::string type_;
  std::vector<Index> row_;
  Index row_size_ = 1, rows_ = 0;
};

/// Puts files into an uncompressed zip archive, under their own names. Sizes are 64 bits wide everywhere (zip64), so
/// that no array is too long; the bytes depend on nothing but the files.
void write_zip(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files);
/// Takes a file of that name out of an archive that write_zip has made. Throws Error where it is not in it.
void extract_from_zip(const std::filesystem::path& zip, const std::filesystem::path& file);

}  // namespace brio

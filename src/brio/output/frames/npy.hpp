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

  template <class T>
  void append(const T* values, Index rows) {
    append_bytes({reinterpret_cast<const char*>(values), static_cast<size_t>(rows * row_size_) * sizeof(T)}, rows);
  }
  /// For types whose items have no type here, such as texts.
  void append_bytes(std::string_view bytes, Index rows);
  void close() { file_.close(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  void write_header();

  std::filesystem::path path_;
  OutputFile file_;
  std::string type_;
  std::vector<Index> row_;
  Index row_size_ = 1, rows_ = 0;
};

/// Puts files into an uncompressed zip archive, under their own names. Sizes are 64 bits wide everywhere (zip64), so
/// that no array is too long; the bytes depend on nothing but the files.
void write_zip(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files);

}  // namespace brio

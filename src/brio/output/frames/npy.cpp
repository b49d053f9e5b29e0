#include "brio/output/frames/npy.hpp"

#include "brio/core/join.hpp"

#include <fmt/format.h>

#include <numeric>

namespace brio {

NpyFile::NpyFile(const std::filesystem::path& path, std::string type, std::vector<Index> row)
    : path_(path), file_(path), type_(std::move(type)), row_(std::move(row)) {
  row_size_ = std::accumulate(row_.begin(), row_.end(), Index{1}, std::multiplies<>());
  write_header();
}

NpyFile::NpyFile(const std::filesystem::path& path, std::string type, std::vector<Index> row, Index rows)
    : path_(path), file_(path, length_of(type, row, rows)), type_(std::move(type)), row_(std::move(row)), rows_(rows) {
  row_size_ = std::accumulate(row_.begin(), row_.end(), Index{1}, std::multiplies<>());
  write_header();
}

std::uint64_t NpyFile::length_of(const std::string& type, const std::vector<Index>& row, Index rows) {
  const Index items = std::accumulate(row.begin(), row.end(), rows, std::multiplies<>());
  return kHeaderBytes + static_cast<std::uint64_t>(items) * std::stoul(type.substr(2));
}

/// Magic, version 1.0, the header's length as uint16; then a Python dictionary, filled up to 128 bytes in all, so that
/// it stays in its place while the count of rows grows.
void NpyFile::write_header() {
  constexpr size_t kBefore = 10;
  std::vector<Index> shape = row_;
  shape.insert(shape.begin(), rows_);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type_, joined(shape, ", "));
  text.resize(kHeaderBytes - kBefore - 1, ' ');
  text += '\n';
  file_.seek(0);
  file_.write(std::string_view("\x93NUMPY\1\0", 8));
  const auto length = static_cast<std::uint16_t>(text.size());
  file_.write(std::span<const std::uint16_t>(&length, 1));
  file_.write(text);
  file_.flush();
}

void NpyFile::append_bytes(std::string_view bytes, Index rows) {
  file_.seek(-1);
  file_.write(bytes);
  file_.flush();
  rows_ += rows;
  write_header();
}

}  // namespace brio

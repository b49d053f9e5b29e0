#include "brio/output/frames/ply.hpp"

#include "brio/core/file.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

std::string_view bytes_of(const int* values, Index count) {
  return {reinterpret_cast<const char*>(values), static_cast<size_t>(count) * sizeof(int)};
}

}  // namespace

PlyWriter::PlyWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices), part_(body) {
  create_sequence_folder(folder_, "ply");
  head_ = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", part_.vertices.size());
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "strain"})
    head_ += fmt::format("property float {}\n", name);
  head_ += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", part_.triangles.rows());
  for (Index f = 0; f < part_.triangles.rows(); ++f) {
    cells_ += '\3';
    cells_ += bytes_of(part_.triangles.row(f).data(), 3);
  }
  if (part_.edges.rows() > 0) {
    head_ += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", part_.edges.rows());
    cells_ += bytes_of(part_.edges.data(), part_.edges.size());
  }
  head_ += "end_header\n";
}

void PlyWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  Eigen::Matrix<float, Eigen::Dynamic, 7, Eigen::RowMajor> rows(part_.vertices.size(), 7);
  rows << part_.rows(frame.x).cast<float>(), part_.rows(frame.v).cast<float>(), part_.rows(frame.strain).cast<float>();
  write_whole_file(folder_ / sequence_name(frames_, "ply"), [&](OutputFile& file) {
    file.write(head_);
    file.write(std::span<const float>(rows.data(), static_cast<size_t>(rows.size())));
    file.write(cells_);
  });
  ++frames_;
}

}  // namespace brio

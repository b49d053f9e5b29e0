#include "brio/mesh/formats/ply_output.hpp"

#include <fmt/format.h>

#include <bit>

namespace brio {

static_assert(std::endian::native == std::endian::little, "the header says so");

std::string ply_header(Index vertices, const char* type, std::initializer_list<const char*> properties, Index triangles,
                       Index edges, const std::vector<const char*>& integers) {
  std::string text = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", vertices);
  for (const char* property : properties) text += fmt::format("property {} {}\n", type, property);
  for (const char* property : integers) text += fmt::format("property int {}\n", property);
  text += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", triangles);
  if (edges > 0) text += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", edges);
  return text + "end_header\n";
}

std::string ply_cells(const MatrixX3i& triangles, const MatrixX2i& edges) {
  std::string bytes;
  const auto append = [&](const int* values, Index count) {
    bytes.append(reinterpret_cast<const char*>(values), static_cast<size_t>(count) * sizeof(int));
  };
  for (Index f = 0; f < triangles.rows(); ++f) {
    bytes += '\3';  // corners
    append(triangles.row(f).data(), 3);
  }
  append(edges.data(), edges.size());
  return bytes;
}

}  // namespace brio

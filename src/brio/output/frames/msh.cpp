#include "brio/output/frames/msh.hpp"

#include "brio/core/file.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

// Gmsh's numbers for the cell types.
constexpr std::int32_t kLine = 1, kTriangle = 2, kTetrahedron = 4;

void add(std::string& bytes, auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); }

/// One block of elements: type, count, number of tags; then number, physical group, entity and corners of each.
template <class Cells>
std::string elements_section(std::int32_t type, const Cells& cells, const VectorXi& region) {
  std::string bytes = fmt::format("$Elements\n{}\n", cells.rows());
  for (auto value : {type, static_cast<std::int32_t>(cells.rows()), 2}) add(bytes, value);
  for (Index i = 0; i < cells.rows(); ++i) {
    const int group = region.size() > 0 ? region[i] : 0;
    for (auto value : {static_cast<int>(i) + 1, group, group + 1}) add(bytes, value);
    for (int corner : cells.row(i)) add(bytes, corner + 1);
  }
  return bytes + "\n$EndElements\n";
}

/// A row of numbers for each node, counted from 1.
template <class Rows>
void add_rows(std::string& bytes, const Rows& rows) {
  bytes.reserve(bytes.size() + static_cast<size_t>(rows.rows() * (4 + 8 * rows.cols())));
  for (Index i = 0; i < rows.rows(); ++i) {
    add(bytes, static_cast<std::int32_t>(i) + 1);
    for (Index k = 0; k < rows.cols(); ++k) add(bytes, rows(i, k));
  }
}

template <class Rows>
std::string node_data(const char* name, double time, int frame, const Rows& rows) {
  std::string bytes =
      fmt::format("$NodeData\n1\n\"{}\"\n1\n{}\n3\n{}\n{}\n{}\n", name, time, frame, rows.cols(), rows.rows());
  add_rows(bytes, rows);
  return bytes + "\n$EndNodeData\n";
}

}  // namespace

MshWriter::MshWriter(const std::filesystem::path& folder, const BodyTopology& body)
    : folder_(folder), vertices_(body.vertices) {
  check_topology(body);
  if (body.tets.rows() > 0) {
    elements_ = elements_section(kTetrahedron, body.tets, body.region);
  } else if (body.triangles.rows() > 0) {
    elements_ = elements_section(kTriangle, body.triangles, {});
  } else {
    elements_ = elements_section(kLine, body.edges, {});
  }
  create_sequence_folder(folder_, "msh");
}

void MshWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  std::string head = "$MeshFormat\n2.2 1 8\n";
  add(head, std::int32_t{1});  // tells the byte order
  head += fmt::format("\n$EndMeshFormat\n$Nodes\n{}\n", vertices_);
  add_rows(head, frame.x);
  write_whole_file(folder_ / sequence_name(frames_, "msh"), [&](OutputFile& file) {
    file.write(head);
    file.write("\n$EndNodes\n");
    file.write(elements_);
    file.write(node_data("velocity", frame.time, frames_, frame.v));
    file.write(node_data("strain", frame.time, frames_, frame.strain));
  });
  ++frames_;
}

}  // namespace brio

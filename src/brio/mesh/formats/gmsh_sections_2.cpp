#include "brio/mesh/formats/gmsh_sections.hpp"

namespace brio {
namespace {

/// The counts stand in text in binary files too.
std::int64_t read_count(GmshInput& in, std::string_view what, int bytes_in_text, int bytes_in_binary) {
  in.text.need_line(what);
  const std::int64_t count = in.text.count(what, in.binary ? bytes_in_binary : bytes_in_text);
  in.text.end_of_line();
  return count;
}

void read_cell(GmshInput& in, const CellType& cell, std::int64_t tags, GmshMesh& mesh) {
  // The tags are: physical group (0 for none), model entity, then partitions.
  std::int64_t group = 0;
  for (std::int64_t k = 0; k < tags; ++k) {
    const std::int64_t tag = in.integer("tag", -kMostGmshTag, kMostGmshTag);
    if (k == 0) group = tag;
  }
  mesh.add_cell(in.text, cell, mesh.builder.group(group), [&] { return in.integer("node tag"); });
  in.end();
}

/// In a binary file, cells of one type and number of tags follow a header of their own.
void read_binary_elements(GmshInput& in, std::int64_t count, GmshMesh& mesh) {
  for (std::int64_t seen = 0; seen < count;) {
    const CellType& cell = mesh.cell_type(in);
    const std::int64_t follow = in.integer("number of elements of one type", 1, count - seen);
    const std::int64_t tags = in.integer("number of tags", 0, kMostGmshTag);
    in.require_room("number of elements of one type", follow, 4 * (1 + tags + cell.nodes));
    for (std::int64_t i = 0; i < follow; ++i) {
      in.integer("element tag", 0);
      read_cell(in, cell, tags, mesh);
    }
    seen += follow;
  }
}

}  // namespace

void read_nodes_2(GmshInput& in, GmshMesh& mesh) {
  const std::int64_t count = read_count(in, "number of nodes", 8, 28);  // "1 0 0 0\n"
  mesh.reserve_nodes(count);
  for (std::int64_t i = 0; i < count; ++i) {
    in.item("nodes", count, i);
    const std::int64_t tag = in.integer("node tag", 0);
    const double x = in.real("x"), y = in.real("y"), z = in.real("z");
    in.end();
    mesh.add_node(tag, {x, y, z}, in.text.line_number());
  }
  mesh.finish_nodes(in.text);
}

/// Number, type, physical group, model entity, number of nodes, nodes.
void read_elements_1(GmshInput& in, GmshMesh& mesh) {
  const std::int64_t count = read_count(in, "number of elements", 10, 10);
  for (std::int64_t i = 0; i < count; ++i) {
    in.item("elements", count, i);
    in.integer("element tag", 0);
    const CellType& cell = mesh.cell_type(in);
    const std::int64_t group = in.integer("physical group", -kMostGmshTag, kMostGmshTag);
    in.integer("model entity", -kMostGmshTag, kMostGmshTag);
    in.integer("number of nodes", cell.nodes, cell.nodes);
    mesh.add_cell(in.text, cell, mesh.builder.group(group), [&] { return in.integer("node tag"); });
    in.end();
  }
}

void read_elements_2(GmshInput& in, GmshMesh& mesh) {
  const std::int64_t count = read_count(in, "number of elements", 8, 8);  // "1 15 0 1\n"
  if (in.binary) return read_binary_elements(in, count, mesh);
  for (std::int64_t i = 0; i < count; ++i) {
    in.item("elements", count, i);
    in.integer("element tag", 0);
    const CellType& cell = mesh.cell_type(in);
    read_cell(in, cell, in.integer("number of tags", 0, kMostGmshTag), mesh);
  }
}

}  // namespace brio

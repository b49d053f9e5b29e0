#include "brio/mesh/gmsh_sections.hpp"

#include <cstdlib>

namespace brio {
namespace {
constexpr int kMostTag = std::numeric_limits<int>::max();
}

void next_item(TextReader& in, std::string_view items, std::int64_t announced, std::int64_t seen) {
  in.need_line(items);
  if (in.line().starts_with('$')) {
    in.fail("{} {} are announced, but the section ends after {}", announced, items, seen);
  }
}

void read_nodes_2(TextReader& in, GmshMesh& mesh) {
  in.need_line("number of nodes");
  const std::int64_t count = in.count("number of nodes", 8);  // "1 0 0 0\n"
  in.end_of_line();
  mesh.reserve_nodes(count);
  for (std::int64_t i = 0; i < count; ++i) {
    next_item(in, "nodes", count, i);
    const std::int64_t tag = in.integer("node tag", 0);
    const double x = in.real("x"), y = in.real("y"), z = in.real("z");
    in.end_of_line();
    mesh.add_node(tag, {x, y, z}, in.line_number());
  }
  mesh.finish_nodes(in);
}

void read_elements_2(TextReader& in, GmshMesh& mesh) {
  in.need_line("number of elements");
  const std::int64_t count = in.count("number of elements", 8);  // "1 15 0 1\n"
  in.end_of_line();
  for (std::int64_t i = 0; i < count; ++i) {
    next_item(in, "elements", count, i);
    in.integer("element tag", 0);
    const GmshCell& cell = mesh.cell_type(in);
    // The tags are: physical group (0 for none), model entity, then partitions.
    const std::int64_t tags = in.integer("number of tags", 0, kMostTag);
    int group = 0;
    for (std::int64_t k = 0; k < tags; ++k) {
      const int tag = static_cast<int>(in.integer("tag", -kMostTag, kMostTag));
      if (k == 0) group = std::abs(tag);
    }
    mesh.add_cell(in, cell, group == 0 ? std::span<const int>() : std::span<const int>(&group, 1));
  }
}

}  // namespace brio

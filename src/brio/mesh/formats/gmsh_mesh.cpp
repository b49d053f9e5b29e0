#include "brio/mesh/formats/gmsh_mesh.hpp"

#include <algorithm>

namespace brio {

void GmshMesh::reserve_nodes(std::int64_t count) {
  nodes_.reserve(count);
  builder.reserve_vertices(count);
}

void GmshMesh::add_node(std::int64_t tag, const Vec3& x, std::int64_t line) {
  nodes_.push_back({tag, builder.vertices(), line});
  builder.add_vertex(x);
}

void GmshMesh::finish_nodes(const TextReader& in) {
  std::sort(nodes_.begin(), nodes_.end(),
            [](const Node& a, const Node& b) { return std::pair(a.tag, a.vertex) < std::pair(b.tag, b.vertex); });
  const auto twin =
      std::adjacent_find(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.tag == b.tag; });
  if (twin != nodes_.end()) {
    throw Error("{}:{}: node tag {} is used twice, first on line {}", in.path(), twin[1].line, twin->tag, twin->line);
  }
  nodes_finished_ = true;
}

int GmshMesh::vertex_of(const TextReader& in, std::int64_t tag) const {
  // The tags are nearly always consecutive; then the place is known without a search.
  const auto at = [&](const Node& node) { return node.tag == tag; };
  if (!nodes_.empty() && tag >= nodes_.front().tag && tag <= nodes_.back().tag) {
    const auto offset = static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(nodes_.front().tag);
    if (offset < nodes_.size() && at(nodes_[offset])) return nodes_[offset].vertex;
    const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), tag,
                                        [](const Node& node, std::int64_t value) { return node.tag < value; });
    if (found != nodes_.end() && at(*found)) return found->vertex;
  }
  in.fail("the cell uses node {}, which is not among the {} nodes of the file", tag, nodes_.size());
}

const CellType& GmshMesh::cell_type(GmshInput& in) const {
  const std::int64_t type = in.integer("element type");
  const CellType* cell = find_cell_type(gmsh_cells(), type);
  if (!cell) in.text.fail("element type {} is not known", type);
  return *cell;
}

}  // namespace brio

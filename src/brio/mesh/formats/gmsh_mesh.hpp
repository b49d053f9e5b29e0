#pragma once
// Collects nodes, which have tags, and cells while a reader of either Gmsh format goes through a file.

#include "brio/mesh/formats/gmsh_input.hpp"
#include "brio/mesh/formats/mesh_builder.hpp"

namespace brio {

class GmshMesh {
 public:
  MeshBuilder builder;

  void reserve_nodes(std::int64_t count);
  void add_node(std::int64_t tag, const Vec3& x, std::int64_t line);
  /// After the last node; refuses a tag that is used twice.
  void finish_nodes(const TextReader& in);
  bool has_nodes() const { return nodes_finished_; }

  const CellType& cell_type(GmshInput& in) const;  ///< reads its number
  /// Takes the node tags of a cell. `groups` are the tags of its physical groups.
  template <class ReadTag>
  void add_cell(const TextReader& in, const CellType& cell, std::span<const int> groups, const ReadTag& read_tag) {
    std::array<int, 10> node;
    const int kept = cell.mid || quadratic_side(cell) ? cell.nodes : cell.corners;
    for (int i = 0; i < cell.nodes; ++i) {
      const int vertex = vertex_of(in, read_tag());
      if (i < kept) node[i] = vertex;
    }
    builder.add_cell(cell, std::span<const int>(node.data(), kept), groups);
  }

 private:
  struct Node {
    std::int64_t tag;
    int vertex;
    std::int64_t line;
  };

  /// Lines and triangles with nodes in the middle of their edges: a side or an edge of quadratic tetrahedra.
  static bool quadratic_side(const CellType& cell) {
    return (cell.dimension == 1 && cell.nodes == 3) || (cell.dimension == 2 && cell.nodes == 6);
  }
  int vertex_of(const TextReader& in, std::int64_t tag) const;

  std::vector<Node> nodes_;  // sorted by tag once finished
  bool nodes_finished_ = false;
};

}  // namespace brio

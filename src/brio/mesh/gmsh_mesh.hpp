#pragma once
// What the readers of both Gmsh formats fill while they go through a file.

#include "brio/mesh/gmsh_cells.hpp"
#include "brio/mesh/loaded_mesh.hpp"
#include "brio/mesh/text_reader.hpp"

#include <span>

namespace brio {

class GmshMesh {
 public:
  void name_group(const TextReader& in, int dimension, int tag, const std::string& name);

  void reserve_nodes(std::int64_t count) { nodes_.reserve(count); }
  void add_node(std::int64_t tag, const Vec3& x, std::int64_t line);
  /// After the last node; refuses a tag that is used twice.
  void finish_nodes(const TextReader& in);
  bool has_nodes() const { return nodes_finished_; }

  const GmshCell& cell_type(TextReader& in) const;  ///< reads its number
  /// Reads the node tags of a cell, to the end of the line. `groups` are the tags of its physical groups.
  void add_cell(TextReader& in, const GmshCell& cell, std::span<const int> groups);

  LoadedMesh finish(const std::string& path);

 private:
  struct Node {
    std::int64_t tag;
    int vertex;
    std::int64_t line;
  };
  struct Group {
    std::string name;  // empty unless the file has one
    std::vector<int> vertices;
  };
  using GroupKey = std::pair<int, int>;  // dimension and tag: Gmsh counts the tags of each dimension on its own

  int vertex_of(const TextReader& in, std::int64_t tag) const;
  std::string set_name(const GroupKey& key, const Group& group) const;
  void name_sets(LoadedMesh& loaded);

  std::vector<Node> nodes_;  // sorted by tag once finished
  bool nodes_finished_ = false;
  std::vector<Vec3> points_;
  std::vector<std::array<int, 4>> tets_;
  std::vector<int> regions_;
  int higher_order_ = 0, several_groups_ = 0;
  std::map<GroupKey, Group> groups_;
  std::map<std::string, int> other_cells_;
  std::map<std::string, int> left_out_;  // volume cells that are not tetrahedra
};

}  // namespace brio

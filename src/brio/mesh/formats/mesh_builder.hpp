#pragma once
// Collects points and cells of any kind, with their groups, while a reader goes through a file. Tetrahedra become the
// mesh, and hexahedra, prisms and pyramids, split into them; in a file without any, triangles and polygons become the
// surface.

#include "brio/mesh/formats/cell_type.hpp"
#include "brio/mesh/loaded_mesh.hpp"

#include <span>

namespace brio {

class MeshBuilder {
 public:
  void reserve_vertices(size_t count) { points_.reserve(count); }
  void add_vertex(const Vec3& x) { points_.push_back(x); }
  int vertices() const { return static_cast<int>(points_.size()); }

  /// `nodes` are vertices that exist or will, corners first: all ten of a quadratic tetrahedron, all or the corners of
  /// lines and triangles, the corners of other cells; `groups` are the tags of its groups, above 0.
  void add_cell(const CellType& type, std::span<const int> nodes, std::span<const int> groups);
  void put_into_group(int dimension, int tag, std::span<const int> vertices);
  /// False when it has a name already.
  bool name_group(int dimension, int tag, const std::string& name);

  /// A tag from a file that may be negative or 0: the groups of a cell. The sign tells an orientation.
  std::span<const int> group(std::int64_t tag);

  /// Throws Error when there are neither tetrahedra nor triangles. Sets are called by their name or "group_<tag>".
  LoadedMesh finish(const std::string& path);

 private:
  struct Group {
    std::string name;  // empty unless the file has one
    std::vector<int> vertices;
  };
  using GroupKey = std::pair<int, int>;  // dimension and tag: Gmsh counts the tags of each dimension on its own

  std::string set_name(const GroupKey& key, const Group& group) const;
  void name_sets(LoadedMesh& loaded);
  void refuse_mixed_orders(const std::string& path) const;
  void make_tets(LoadedMesh& loaded);
  void split_cells();
  void make_surface_of(LoadedMesh& loaded);
  [[noreturn]] void refuse_empty(const std::string& path) const;

  /// A hexahedron, prism or pyramid.
  struct SplitCell {
    std::array<int, 8> corner;
    int corners, region;
    const char* name;
  };

  std::vector<Vec3> points_;
  std::vector<SplitCell> split_;
  std::vector<std::array<int, 4>> tets_;
  std::vector<std::array<int, 6>> mid_;  // of the quadratic ones among them
  std::vector<int> regions_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> triangle_groups_;
  int tag_ = 0;
  int higher_order_ = 0, several_groups_ = 0, cut_ = 0;
  std::map<GroupKey, Group> groups_;
  std::map<std::string, int> other_cells_, left_out_;  // the latter: volume cells that cannot be split into tetrahedra
  std::map<std::string, int> split_counts_;
};

}  // namespace brio

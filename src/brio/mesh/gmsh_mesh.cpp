#include "brio/mesh/gmsh_mesh.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace brio {

void GmshMesh::name_group(const TextReader& in, int dimension, int tag, const std::string& name) {
  Group& group = groups_[{dimension, tag}];
  if (!group.name.empty()) {
    in.fail("physical group {} of dimension {} has a second name, {}", tag, dimension, excerpt(name));
  }
  group.name = name;
}

void GmshMesh::add_node(std::int64_t tag, const Vec3& x, std::int64_t line) {
  nodes_.push_back({tag, static_cast<int>(points_.size()), line});
  points_.push_back(x);
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

const GmshCell& GmshMesh::cell_type(TextReader& in) const {
  const std::int64_t type = in.integer("element type");
  const GmshCell* cell = find_gmsh_cell(type);
  if (!cell) in.fail("element type {} is not known", type);
  return *cell;
}

void GmshMesh::add_cell(TextReader& in, const GmshCell& cell, std::span<const int> groups) {
  std::array<int, 8> corner;
  for (int i = 0; i < cell.nodes; ++i) {
    const int vertex = vertex_of(in, in.integer("node tag"));
    if (i < cell.corners) corner[i] = vertex;
  }
  in.end_of_line();

  if (cell.dimension == 3 && cell.corners == 4) {
    tets_.push_back({corner[0], corner[1], corner[2], corner[3]});
    regions_.push_back(groups.empty() ? 0 : groups.front());
    if (cell.nodes > 4) ++higher_order_;
    if (groups.size() > 1) ++several_groups_;
  } else {
    ++other_cells_[cell.name];
    if (cell.dimension == 3) ++left_out_[cell.name];
  }
  for (int tag : groups) {
    auto& vertices = groups_[{cell.dimension, tag}].vertices;
    vertices.insert(vertices.end(), corner.begin(), corner.begin() + cell.corners);
  }
}

std::string GmshMesh::set_name(const GroupKey& key, const Group& group) const {
  if (!group.name.empty()) return group.name;
  const auto [dimension, tag] = key;
  for (int other = 0; other <= 3; ++other) {
    const auto found = groups_.find({other, tag});
    if (other != dimension && found != groups_.end() && found->second.name.empty()) {
      return fmt::format("group_{}_{}d", tag, dimension);  // the tag alone would not tell them apart
    }
  }
  return fmt::format("group_{}", tag);
}

void GmshMesh::name_sets(LoadedMesh& loaded) {
  for (const auto& [key, group] : groups_) {
    auto& set = loaded.vertex_sets[set_name(key, group)];
    set.insert(set.end(), group.vertices.begin(), group.vertices.end());
    if (key.first == 3 && !group.name.empty()) loaded.region_names[key.second] = group.name;
  }
  for (auto& [name, set] : loaded.vertex_sets) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
}

LoadedMesh GmshMesh::finish(const std::string& path) {
  if (tets_.empty()) {
    std::vector<std::string> found;
    for (const auto& [name, count] : other_cells_) found.push_back(fmt::format("{} {}", count, name));
    throw Error("{}: holds no tetrahedra (found: {}); mesh the volume and save all elements", path,
                found.empty() ? "no cells" : fmt::format("{}", fmt::join(found, ", ")));
  }
  LoadedMesh loaded;
  const Index n = static_cast<Index>(points_.size()), m = static_cast<Index>(tets_.size());
  loaded.mesh.X = Eigen::Map<const MatrixX3d>(points_.front().data(), n, 3);
  loaded.mesh.T = Eigen::Map<const MatrixX4i>(tets_.front().data(), m, 4);
  loaded.mesh.region = Eigen::Map<const VectorXi>(regions_.data(), m);
  loaded.mesh.fibre = MatrixX3d::Zero(m, 3);
  loaded.other_cells = other_cells_;
  if (higher_order_ > 0) {
    loaded.messages.push_back(
        fmt::format("{} tetrahedra of higher order: their corners are used, the other nodes left out", higher_order_));
  }
  if (several_groups_ > 0) {
    loaded.messages.push_back(
        fmt::format("{} tetrahedra in several physical volumes: their region is the first", several_groups_));
  }
  for (const auto& [name, count] : left_out_) {
    loaded.messages.push_back(fmt::format("{} {} left out: only tetrahedra are simulated", count, name));
  }
  name_sets(loaded);
  return loaded;
}

}  // namespace brio

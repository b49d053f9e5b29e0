#include "brio/mesh/formats/mesh_builder.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace brio {
namespace {

/// Corners of a face in order around it, seen from outside; -1 in the place of a fourth that there is not.
using CellFace = std::array<int, 4>;
constexpr CellFace kHexahedron[] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
constexpr CellFace kPrism[] = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
constexpr CellFace kPyramid[] = {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}};

/// The faces of a cell with so many corners; none for cells that are not split.
std::span<const CellFace> faces_of(int corners) {
  if (corners == 8) return kHexahedron;
  if (corners == 6) return kPrism;
  if (corners == 5) return kPyramid;
  return {};
}

}  // namespace

/// The tetrahedra between the cell's smallest vertex and the faces that do not have it. A quadrangle is divided from
/// its own smallest vertex, so that two cells divide the face between them in the same way [Dompierre et al. 1999].
void MeshBuilder::split_cells() {
  for (const SplitCell& cell : split_) {
    const int apex = *std::min_element(cell.corner.begin(), cell.corner.begin() + cell.corners);
    const size_t first = tets_.size();
    for (const CellFace& face : faces_of(cell.corners)) {
      std::array<int, 4> v{};
      const int sides = face[3] < 0 ? 3 : 4;
      for (int c = 0; c < sides; ++c) v[c] = cell.corner[face[c]];
      if (std::count(v.begin(), v.begin() + sides, apex) > 0) continue;
      std::rotate(v.begin(), std::min_element(v.begin(), v.begin() + sides), v.begin() + sides);
      tets_.push_back({apex, v[0], v[1], v[2]});
      if (sides == 4) tets_.push_back({apex, v[0], v[2], v[3]});
    }
    double volume = 0;  // some formats go around a cell the other way
    for (size_t t = first; t < tets_.size(); ++t) {
      const auto& [a, b, c, d] = tets_[t];
      volume += (points_[b] - points_[a]).cross(points_[c] - points_[a]).dot(points_[d] - points_[a]);
    }
    for (size_t t = first; t < tets_.size(); ++t) {
      if (volume < 0) std::swap(tets_[t][2], tets_[t][3]);
      regions_.push_back(cell.region);
    }
  }
  split_.clear();
}

void MeshBuilder::add_cell(const CellType& type, std::span<const int> nodes, std::span<const int> groups) {
  const std::span corners = type.corners > 0 ? nodes.first(std::min<size_t>(nodes.size(), type.corners)) : nodes;
  if (type.tetrahedron()) {
    tets_.push_back({corners[0], corners[1], corners[2], corners[3]});
    regions_.push_back(groups.empty() ? 0 : groups.front());
    if (type.mid) {
      std::array<int, 6>& mid = mid_.emplace_back();
      for (int e = 0; e < 6; ++e) mid[e] = nodes[4 + type.mid[e]];
    } else if (type.nodes > 4) {
      ++higher_order_;
    }
    if (groups.size() > 1) ++several_groups_;
  } else if (type.dimension == 3 && corners.size() == static_cast<size_t>(type.corners) &&
             !faces_of(type.corners).empty()) {
    SplitCell& cell = split_.emplace_back(SplitCell{{}, type.corners, groups.empty() ? 0 : groups.front(), type.name});
    std::copy(corners.begin(), corners.end(), cell.corner.begin());
    ++split_counts_[type.name];
    if (type.nodes > type.corners) ++higher_order_;
    if (groups.size() > 1) ++several_groups_;
  } else {
    ++other_cells_[type.name];
    if (type.dimension == 3) ++left_out_[type.name];
    if (type.dimension == 2 && corners.size() > 3) ++cut_;
    for (size_t i = 2; type.dimension == 2 && i < corners.size(); ++i) {
      triangles_.push_back({corners[0], corners[i - 1], corners[i]});
      triangle_groups_.push_back(groups.empty() ? 0 : groups.front());
    }
  }
  for (int tag : groups) put_into_group(type.dimension, tag, nodes);
}

void MeshBuilder::put_into_group(int dimension, int tag, std::span<const int> vertices) {
  auto& all = groups_[{dimension, tag}].vertices;
  all.insert(all.end(), vertices.begin(), vertices.end());
}

bool MeshBuilder::name_group(int dimension, int tag, const std::string& name) {
  Group& group = groups_[{dimension, tag}];
  if (!group.name.empty()) return false;
  group.name = name;
  return true;
}

std::span<const int> MeshBuilder::group(std::int64_t tag) {
  tag_ = static_cast<int>(std::abs(tag));
  return tag_ == 0 ? std::span<const int>() : std::span<const int>(&tag_, 1);
}

std::string MeshBuilder::set_name(const GroupKey& key, const Group& group) const {
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

void MeshBuilder::name_sets(LoadedMesh& loaded) {
  for (auto& [key, group] : groups_) {
    auto& set = loaded.vertex_sets[set_name(key, group)];
    set.insert(set.end(), group.vertices.begin(), group.vertices.end());
    std::vector<int>().swap(group.vertices);
    if (key.first == 3 && !group.name.empty()) loaded.region_names[key.second] = group.name;
  }
  for (auto& [name, set] : loaded.vertex_sets) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    set.shrink_to_fit();
  }
}

void MeshBuilder::make_tets(LoadedMesh& loaded) {
  const Index n = static_cast<Index>(points_.size()), m = static_cast<Index>(tets_.size());
  loaded.mesh.X = Eigen::Map<const MatrixX3d>(points_.front().data(), n, 3);
  loaded.mesh.T = Eigen::Map<const MatrixX4i>(tets_.front().data(), m, 4);
  loaded.mesh.region = Eigen::Map<const VectorXi>(regions_.data(), m);
  loaded.mesh.fiber = MatrixX3d::Zero(m, 3);
  if (!mid_.empty()) loaded.mesh.mid = Eigen::Map<const MatrixX6i>(mid_.front().data(), m, 6);
  if (higher_order_ > 0) {
    loaded.messages.push_back(
        fmt::format("{} cells of higher order: their corners are used, the other nodes left out", higher_order_));
  }
  if (several_groups_ > 0) {
    loaded.messages.push_back(
        fmt::format("{} tetrahedra in several physical volumes: their region is the first", several_groups_));
  }
}

void MeshBuilder::make_surface_of(LoadedMesh& loaded) {
  TriangleSurface& surface = loaded.surface;
  const Index n = static_cast<Index>(points_.size()), m = static_cast<Index>(triangles_.size());
  surface.X = Eigen::Map<const MatrixX3d>(points_.front().data(), n, 3);
  surface.triangles = Eigen::Map<const MatrixX3i>(triangles_.front().data(), m, 3);
  for (const char* kind : {"triangles", "quadrangles", "polygons"}) loaded.other_cells.erase(kind);
  if (cut_ > 0) {
    loaded.messages.push_back(fmt::format("{} faces with more than three corners: cut into triangles", cut_));
  }
  if (std::all_of(triangle_groups_.begin(), triangle_groups_.end(), [](int tag) { return tag == 0; })) return;
  std::map<int, int> row;  // of each tag
  for (int tag : triangle_groups_) row.emplace(tag, 0);
  for (auto& [tag, number] : row) {
    number = static_cast<int>(surface.group_names.size());
    const GroupKey key{2, tag};
    surface.group_names.push_back(tag == 0 ? "default" : set_name(key, groups_[key]));
  }
  surface.group.resize(m);
  for (Index i = 0; i < m; ++i) surface.group[i] = row[triangle_groups_[i]];
}

void MeshBuilder::refuse_empty(const std::string& path) const {
  std::vector<std::string> found;
  for (const auto& [name, count] : other_cells_) found.push_back(fmt::format("{} {}", count, name));
  throw Error("{}: holds no tetrahedra and no triangles (found: {}); mesh the volume and save all elements", path,
              found.empty() ? "no cells" : joined(found, ", "));
}

void MeshBuilder::refuse_mixed_orders(const std::string& path) const {
  if (mid_.empty() || mid_.size() == tets_.size()) return;
  throw Error("{}: holds {} quadratic tetrahedra and {} others: all must be of one order, or they do not fit together; "
              "save the mesh with one order of elements",
              path, mid_.size(), tets_.size() - mid_.size());
}

LoadedMesh MeshBuilder::finish(const std::string& path) {
  const size_t whole = tets_.size();
  split_cells();
  refuse_mixed_orders(path);
  if (tets_.empty() && triangles_.empty()) refuse_empty(path);
  LoadedMesh loaded;
  for (const auto& [name, count] : split_counts_)
    loaded.messages.push_back(fmt::format("{} {} split into tetrahedra", count, name));
  if (!split_counts_.empty())
    loaded.messages.push_back(fmt::format("{} tetrahedra come from other cells", tets_.size() - whole));
  loaded.other_cells = other_cells_;
  if (tets_.empty()) {
    make_surface_of(loaded);
  } else {
    make_tets(loaded);
  }
  for (const auto& [name, count] : left_out_) {
    loaded.messages.push_back(fmt::format("{} {} left out: they cannot be split into tetrahedra", count, name));
  }
  name_sets(loaded);
  return loaded;
}

}  // namespace brio

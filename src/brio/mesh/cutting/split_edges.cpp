#include "brio/mesh/cutting/split_edges.hpp"

#include "brio/mesh/faces.hpp"

#include <algorithm>
#include <cstdint>

namespace brio {
namespace {

using Tet = std::array<int, 4>;

std::array<int, 2> edge_of(const TetMesh& mesh, int tet, int k) {
  const int a = mesh.T(tet, kEdgeCorners[k][0]), b = mesh.T(tet, kEdgeCorners[k][1]);
  return {std::min(a, b), std::max(a, b)};
}

/// The parts of one tetrahedron after the edges (numbers into `edges`, ascending) are split; `first` is the number of
/// the first new vertex.
void subdivide(const std::vector<VertexOrigin>& edges, const std::vector<int>& chosen, int first,
               std::vector<Tet>& parts) {
  for (int e : chosen) {
    const size_t count = parts.size();
    for (size_t i = 0; i < count; ++i) {
      const auto a = std::find(parts[i].begin(), parts[i].end(), edges[e].a);
      const auto b = std::find(parts[i].begin(), parts[i].end(), edges[e].b);
      if (a == parts[i].end() || b == parts[i].end()) continue;
      Tet half = parts[i];
      half[a - parts[i].begin()] = first + e;
      *b = first + e;
      parts.push_back(half);
    }
  }
}

}  // namespace

std::vector<std::array<int, 2>> find_edges(const TetMesh& mesh) {
  std::vector<std::uint64_t> keys;
  keys.reserve(6 * static_cast<size_t>(mesh.tets()));
  for (int t = 0; t < mesh.tets(); ++t)
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = edge_of(mesh, t, k);
      keys.push_back(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b));
    }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<std::array<int, 2>> edges;
  edges.reserve(keys.size());
  for (std::uint64_t key : keys) edges.push_back({static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu)});
  return edges;
}

SplitMesh split_edges(const TetMesh& mesh, const std::vector<VertexOrigin>& edges) {
  SplitMesh split;
  const int n = mesh.vertices();
  std::vector<char> touched(n, 0);  // ends of chosen edges: most tetrahedra have none
  for (const VertexOrigin& e : edges) touched[e.a] = touched[e.b] = 1;
  std::vector<Tet> all, parts;
  std::vector<int> chosen;
  for (int t = 0; t < mesh.tets(); ++t) {
    chosen.clear();
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = edge_of(mesh, t, k);
      if (!touched[a] || !touched[b]) continue;
      const auto found = std::lower_bound(edges.begin(), edges.end(), std::pair(a, b),
                                          [](const VertexOrigin& e, auto key) { return std::pair(e.a, e.b) < key; });
      if (found != edges.end() && found->a == a && found->b == b)
        chosen.push_back(static_cast<int>(found - edges.begin()));
    }
    std::sort(chosen.begin(), chosen.end());
    parts = {{mesh.T(t, 0), mesh.T(t, 1), mesh.T(t, 2), mesh.T(t, 3)}};
    subdivide(edges, chosen, n, parts);
    all.insert(all.end(), parts.begin(), parts.end());
    split.old_tet.insert(split.old_tet.end(), parts.size(), t);
    split.subdivided += parts.size() > 1;
  }

  TetMesh& out = split.mesh;
  out.X.resize(n + static_cast<Index>(edges.size()), 3);
  out.X << mesh.X, carried(edges, mesh.X);
  out.T.resize(static_cast<Index>(all.size()), 4);
  for (size_t t = 0; t < all.size(); ++t) out.T.row(t) = Eigen::Map<const Eigen::RowVector4i>(all[t].data());
  out.region = mesh.region(split.old_tet);
  if (mesh.fiber.rows() > 0) out.fiber = mesh.fiber(split.old_tet, Eigen::all);
  return split;
}

MatrixX3d carried(const std::vector<VertexOrigin>& origin, const MatrixX3d& old) {
  MatrixX3d rows(static_cast<Index>(origin.size()), 3);
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto& [a, b, weight] = origin[i];
    rows.row(i) = (1 - weight) * old.row(a) + weight * old.row(b);
  }
  return rows;
}

}  // namespace brio

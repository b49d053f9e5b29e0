#include "brio/mesh/surface.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward from a positive tetrahedron

struct Face {
  int middle, largest;  ///< the two larger vertices; the smallest is the bucket
  std::int64_t id;      ///< 4 tet + face
};

std::array<int, 3> sorted_face(const TetMesh& mesh, std::int64_t id) {
  const auto& local = kFaces[id % 4];
  const int t = static_cast<int>(id / 4);
  std::array v{mesh.T(t, local[0]), mesh.T(t, local[1]), mesh.T(t, local[2])};
  std::sort(v.begin(), v.end());
  return v;
}

int root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

MatrixX3i boundary_triangles(const TetMesh& mesh) {
  // Faces go into buckets by their smallest vertex; a bucket is so small that sorting it costs next to nothing.
  const std::int64_t count = 4 * static_cast<std::int64_t>(mesh.tets());
  std::vector<std::int64_t> start(mesh.vertices() + 2, 0);
  for (std::int64_t id = 0; id < count; ++id) ++start[sorted_face(mesh, id)[0] + 2];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Face> faces(count);
  for (std::int64_t id = 0; id < count; ++id) {
    const auto v = sorted_face(mesh, id);
    faces[start[v[0] + 1]++] = {v[1], v[2], id};
  }

  std::vector<std::int64_t> single;
  for (int bucket = 0; bucket < mesh.vertices(); ++bucket) {
    const auto first = faces.begin() + start[bucket], last = faces.begin() + start[bucket + 1];
    const auto key = [](const Face& f) { return std::pair(f.middle, f.largest); };
    std::sort(first, last, [&](const Face& a, const Face& b) { return key(a) < key(b); });
    for (auto run = first; run != last;) {
      const auto next = std::find_if(run, last, [&](const Face& f) { return key(f) != key(*run); });
      if (next - run == 1) single.push_back(run->id);
      run = next;
    }
  }
  std::sort(single.begin(), single.end());

  MatrixX3i triangles(static_cast<Index>(single.size()), 3);
  for (Index i = 0; i < triangles.rows(); ++i) {
    for (int c = 0; c < 3; ++c) triangles(i, c) = mesh.T(single[i] / 4, kFaces[single[i] % 4][c]);
  }
  return triangles;
}

VectorXd lumped_area(const MatrixX3d& X, const MatrixX3i& triangles) {
  VectorXd area = VectorXd::Zero(X.rows());
  for (Index f = 0; f < triangles.rows(); ++f) {
    const Vec3 a = X.row(triangles(f, 0)), b = X.row(triangles(f, 1)), c = X.row(triangles(f, 2));
    const double third = (b - a).cross(c - a).norm() / 6;
    for (int i = 0; i < 3; ++i) area[triangles(f, i)] += third;
  }
  return area;
}

std::vector<int> surface_vertices(const MatrixX3i& triangles) {
  std::vector<int> vertices(triangles.data(), triangles.data() + triangles.size());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

Components connected_components(const TetMesh& mesh) {
  std::vector<int> parent(mesh.vertices());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<bool> used(mesh.vertices(), false);
  for (int t = 0; t < mesh.tets(); ++t) {
    for (int c = 0; c < 4; ++c) {
      used[mesh.T(t, c)] = true;
      const int a = root(parent, mesh.T(t, 0)), b = root(parent, mesh.T(t, c));
      parent[std::max(a, b)] = std::min(a, b);  // the smallest vertex leads, so that labels follow vertex order
    }
  }
  Components parts{0, VectorXi::Constant(mesh.vertices(), -1)};
  for (int i = 0; i < mesh.vertices(); ++i) {
    if (!used[i]) continue;
    const int leader = root(parent, i);
    parts.of_vertex[i] = leader == i ? parts.count++ : parts.of_vertex[leader];
  }
  return parts;
}

}  // namespace brio

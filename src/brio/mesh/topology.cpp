#include "brio/mesh/topology.hpp"

#include "brio/mesh/union_find.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace brio {
namespace {

/// An edge of a triangle; `side` is the corner across from it.
struct Side {
  int low, high, triangle, side;
};

/// The edges of all triangles, those between the same two vertices beside each other.
std::vector<Side> sorted_sides(const MatrixX3i& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * static_cast<size_t>(triangles.rows()));
  for (int f = 0; f < triangles.rows(); ++f)
    for (int c = 0; c < 3; ++c) {
      const int a = triangles(f, (c + 1) % 3), b = triangles(f, (c + 2) % 3);
      sides.push_back({std::min(a, b), std::max(a, b), f, c});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

template <class Action>
void for_each_edge(const std::vector<Side>& sides, const Action& action) {
  for (size_t i = 0, next = 0; i < sides.size(); i = next) {
    while (next < sides.size() && sides[next].low == sides[i].low && sides[next].high == sides[i].high) ++next;
    action(i, next);
  }
}

int corner_at(const MatrixX3i& triangles, int f, int vertex) {
  for (int c = 0; c < 3; ++c)
    if (triangles(f, c) == vertex) return 3 * f + c;
  return -1;
}

int corner_in_tet(const TetMesh& mesh, int tet, int vertex) {
  for (int c = 0; c < 4; ++c)
    if (mesh.T(tet, c) == vertex) return 4 * tet + c;
  return -1;
}

}  // namespace

FaceParts face_parts(const TetMesh& mesh, const Faces& faces) {
  UnionFind together(mesh.tets());
  for (const auto& [one, other] : faces.shared) together.join(tet_of(one), tet_of(other));
  FaceParts parts;
  VectorXi found(mesh.tets());
  for (int t = 0; t < mesh.tets(); ++t) {
    const int first = together.representative(t);
    if (first == t) {
      found[t] = parts.count();
      Vec3 place = Vec3::Zero();
      for (int c = 0; c < 4; ++c) place += 0.25 * mesh.X.row(mesh.T(t, c));
      parts.part.push_back({0, 0, place});
    }
    found[t] = found[first];
    ++parts.part[found[t]].tets;
    parts.part[found[t]].volume += tet_volume(mesh, t);
  }
  std::vector<int> order(parts.part.size()), row(parts.part.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return parts.part[a].volume > parts.part[b].volume; });
  std::vector<FaceParts::Part> sorted;
  for (size_t i = 0; i < order.size(); ++i) {
    row[order[i]] = static_cast<int>(i);
    sorted.push_back(parts.part[order[i]]);
  }
  parts.part = std::move(sorted);
  parts.of_tet = found.unaryExpr([&](int part) { return row[part]; });
  return parts;
}

Pinches find_pinches(const MatrixX3i& boundary) {
  Pinches pinches;
  UnionFind fan(3 * static_cast<size_t>(boundary.rows()));  // corners of triangles
  std::vector<bool> on_pinched_edge(boundary.size() ? boundary.maxCoeff() + 1 : 0, false);
  const std::vector<Side> sides = sorted_sides(boundary);
  for_each_edge(sides, [&](size_t begin, size_t end) {
    const Side& one = sides[begin];
    if (end - begin == 2) {
      for (int v : {one.low, one.high})
        fan.join(corner_at(boundary, one.triangle, v), corner_at(boundary, sides[begin + 1].triangle, v));
    } else if (end - begin > 2) {
      pinches.edges.push_back({one.low, one.high});
      on_pinched_edge[one.low] = on_pinched_edge[one.high] = true;
    }
  });
  std::vector<int> fans(on_pinched_edge.size(), 0);
  for (int f = 0; f < boundary.rows(); ++f)
    for (int c = 0; c < 3; ++c) fans[boundary(f, c)] += fan.representative(3 * f + c) == 3 * f + c;
  for (size_t v = 0; v < fans.size(); ++v)
    if (fans[v] > 1 && !on_pinched_edge[v]) pinches.vertices.push_back(static_cast<int>(v));
  return pinches;
}

int surface_euler(const MatrixX3i& triangles) {
  if (triangles.rows() == 0) return 0;
  int edges = 0, vertices = 0;
  for_each_edge(sorted_sides(triangles), [&](size_t, size_t) { ++edges; });
  std::vector<bool> used(triangles.maxCoeff() + 1, false);
  for (int v : triangles.reshaped()) {
    vertices += !used[v];
    used[v] = true;
  }
  return vertices - edges + static_cast<int>(triangles.rows());
}

int surface_parts(const MatrixX3i& triangles) {
  if (triangles.rows() == 0) return 0;
  UnionFind together(triangles.maxCoeff() + 1);
  std::vector<bool> used(triangles.maxCoeff() + 1, false);
  for (int f = 0; f < triangles.rows(); ++f)
    for (int c = 0; c < 3; ++c) {
      together.join(triangles(f, 0), triangles(f, c));
      used[triangles(f, c)] = true;
    }
  int parts = 0;
  for (size_t v = 0; v < used.size(); ++v)
    parts += used[v] && together.representative(static_cast<int>(v)) == static_cast<int>(v);
  return parts;
}

std::vector<int> open_pinches(TetMesh& mesh, const Faces& faces, const Pinches& pinches) {
  std::vector<char> pinched(mesh.vertices(), 0);
  for (int v : pinches.vertices) pinched[v] = 1;
  for (const auto& [a, b] : pinches.edges) pinched[a] = pinched[b] = 1;
  UnionFind together(4 * static_cast<size_t>(mesh.tets()));  // corners, 4 tet + corner
  for (const auto& [one, other] : faces.shared)
    for (int v : vertices_of(mesh, one))
      if (pinched[v]) together.join(corner_in_tet(mesh, tet_of(one), v), corner_in_tet(mesh, tet_of(other), v));
  const int n = mesh.vertices();
  std::vector<int> copies;
  std::vector<char> taken(n, 0);
  std::vector<int> number(4 * static_cast<size_t>(mesh.tets()), -1);
  MatrixX4i renumbered = mesh.T;
  for (int corner = 0; corner < 4 * mesh.tets(); ++corner) {
    const int v = mesh.T(corner / 4, corner % 4);
    if (!pinched[v]) continue;
    const int first = together.representative(corner);
    if (first == corner) {
      number[corner] = taken[v] ? n + static_cast<int>(copies.size()) : v;
      if (taken[v]) copies.push_back(v);
      taken[v] = 1;
    }
    renumbered(corner / 4, corner % 4) = number[first];
  }
  mesh.T = std::move(renumbered);
  mesh.X.conservativeResize(n + static_cast<Index>(copies.size()), 3);
  for (size_t i = 0; i < copies.size(); ++i) mesh.X.row(n + static_cast<Index>(i)) = mesh.X.row(copies[i]);
  return copies;
}

TetMesh extract_tets(const TetMesh& mesh, const std::vector<char>& keep) {
  std::vector<int> tets, vertices, number(mesh.vertices(), -1);
  for (int t = 0; t < mesh.tets(); ++t) {
    if (!keep[t]) continue;
    tets.push_back(t);
    for (int c = 0; c < 4; ++c) number[mesh.T(t, c)] = 0;
  }
  for (int v = 0; v < mesh.vertices(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(vertices.size());
    vertices.push_back(v);
  }
  TetMesh part;
  part.X = mesh.X(vertices, Eigen::all);
  part.T = mesh.T(tets, Eigen::all);
  for (int& v : part.T.reshaped()) v = number[v];
  if (mesh.region.size() > 0) part.region = mesh.region(tets);
  if (mesh.fiber.size() > 0) part.fiber = mesh.fiber(tets, Eigen::all);
  return part;
}

}  // namespace brio

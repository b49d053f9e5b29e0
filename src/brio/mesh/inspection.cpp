#include "brio/mesh/inspection.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/buckets.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/repair.hpp"
#include "brio/mesh/surface.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// The different tuples of vertices among all, each sorted.
template <size_t N>
std::vector<std::array<int, N>> sorted_tuples(std::vector<std::array<int, N>> tuples) {
  for (auto& tuple : tuples) std::sort(tuple.begin(), tuple.end());
  std::sort(tuples.begin(), tuples.end());
  return tuples;
}

template <size_t N>
int different(std::vector<std::array<int, N>> sorted) {
  return static_cast<int>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

struct SharedFaces {
  int different = 0, overlapping = 0;  ///< the latter of more than two tetrahedra
};

/// A face of n tetrahedra is there n - 1 times, each time with the same first one.
SharedFaces count_shared(const Faces& faces) {
  SharedFaces count;
  for (size_t i = 0, next = 0; i < faces.shared.size(); i = next) {
    while (next < faces.shared.size() && faces.shared[next][0] == faces.shared[i][0]) ++next;
    ++count.different;
    count.overlapping += next - i > 1;
  }
  return count;
}

int used_vertices(const auto& cells, int vertices) {
  std::vector<bool> used(vertices, false);
  for (int vertex : cells.reshaped()) used[vertex] = true;
  return static_cast<int>(std::count(used.begin(), used.end(), true));
}

/// Different edges of the cells, each of which has every edge between its corners.
int count_edges(const auto& cells, int vertices) {
  std::vector<std::array<int, 2>> pairs;
  for (int a = 0; a < cells.cols(); ++a)
    for (int b = 0; b < a; ++b) pairs.push_back({a, b});
  const auto per_cell = static_cast<std::int64_t>(pairs.size());
  const Buckets<int> edges = sort_into_buckets<int>(per_cell * cells.rows(), vertices, [&](std::int64_t i) {
    const auto [a, b] = pairs[i % per_cell];
    const int v = cells(i / per_cell, a), w = cells(i / per_cell, b);
    return std::pair(std::min(v, w), std::max(v, w));
  });
  int count = 0;
  for (int v = 0; v < vertices; ++v)
    for (auto e = edges.start[v]; e < edges.start[v + 1]; ++e)
      count += e == edges.start[v] || edges.items[e] != edges.items[e - 1];
  return count;
}

/// "1 edge" or "3 edges".
std::string some(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

double area_of(const MatrixX3d& X, const MatrixX3i& triangles) { return lumped_area(X, triangles).sum(); }

std::string at_place(const Vec3& x) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", x[0], x[1], x[2]); }

constexpr size_t kPlacesNamed = 3, kPinchesKept = 100, kWorstKept = 20;

/// Parts by faces, pinches and genus, and what is wrong with them.
void inspect_topology(const TetMesh& mesh, const Faces& faces, const MatrixX3i& boundary, MeshInspection& result) {
  const FaceParts parts = face_parts(mesh, faces);
  result.parts = parts.part;
  if (parts.count() > result.components) {
    std::string places;
    for (size_t p = 1; p < parts.part.size() && p <= kPlacesNamed; ++p)
      places += fmt::format("{}one of {} near {}", p == 1 ? "" : ", ",
                            some(parts.part[p].tets, "tetrahedron", "tetrahedra"), at_place(parts.part[p].place));
    result.problems.push_back(fmt::format("{} parts that share no face, though they touch: {}{}", parts.count(), places,
                                          parts.part.size() > kPlacesNamed + 1 ? " …" : ""));
  }
  const Pinches pinches = find_pinches(boundary);
  result.pinched_edges = static_cast<int>(pinches.edges.size());
  result.pinched_vertices = static_cast<int>(pinches.vertices.size());
  for (const auto& [a, b] : pinches.edges)
    if (result.pinches.size() < kPinchesKept) result.pinches.push_back(0.5 * (mesh.X.row(a) + mesh.X.row(b)));
  for (int v : pinches.vertices)
    if (result.pinches.size() < kPinchesKept) result.pinches.push_back(mesh.X.row(v));
  if (pinches.count() > 0) {
    std::string places;
    for (size_t p = 0; p < result.pinches.size() && p < kPlacesNamed; ++p)
      places += (p == 0 ? "" : ", ") + at_place(result.pinches[p]);
    result.problems.push_back(fmt::format("pinched at {} and {}: the body hangs together by these alone, at {}{}",
                                          some(result.pinched_edges, "edge", "edges"),
                                          some(result.pinched_vertices, "vertex", "vertices"), places,
                                          pinches.count() > kPlacesNamed ? " …" : ""));
  } else {
    result.genus = surface_genus(boundary);
  }
}

void compare_with_shape(const ShapeFacts& shape, MeshInspection& result) {
  const double off = result.volume / shape.volume - 1;
  if (!(std::fabs(off) <= kVolumeTolerance)) {
    result.problems.push_back(fmt::format("the volume is {:.2g} % {} than that of the shape, {:.6g} m^3",
                                          100 * std::fabs(off), off < 0 ? "less" : "more", shape.volume));
  }
  if (static_cast<int>(result.parts.size()) != shape.parts) {
    result.problems.push_back(fmt::format("{}, but the shape has {}",
                                          some(static_cast<int>(result.parts.size()), "part", "parts"), shape.parts));
  }
  if (result.genus && *result.genus != shape.genus)
    result.problems.push_back(fmt::format("genus {}, but that of the shape is {}", *result.genus, shape.genus));
}

void inspect_shapes(const TetMesh& mesh, MeshInspection& result) {
  const std::vector<TetMeasures> measures = measure_tets(mesh);
  result.quality = summarize(measures);
  result.volume = result.quality.volume;
  if (mesh.order() == 2) {  // quality is that of the corners; sides may be curved
    result.volume = 0;
    for (int t = 0; t < mesh.tets(); ++t) result.volume += element_volume(mesh, t);
  }
  std::vector<std::pair<double, int>> worst;
  for (int t = 0; t < mesh.tets(); ++t) {
    worst.emplace_back(-measures[t].aspect, t);
    result.aspect.add(measures[t].aspect);
    for (double angle : measures[t].dihedral) result.dihedral.add(angle);
  }
  const auto end = worst.begin() + std::min(worst.size(), kWorstKept);
  std::partial_sort(worst.begin(), end, worst.end());
  for (auto w = worst.begin(); w != end; ++w) result.worst_tets.push_back(w->second);
}

void inspect_tets(const TetMesh& mesh, MeshInspection& result) {
  const Faces faces = find_faces(mesh);
  const SharedFaces shared = count_shared(faces);
  const int used = used_vertices(mesh.T, mesh.vertices());
  const int different_faces = static_cast<int>(faces.single.size()) + shared.different;
  result.euler = used - count_edges(mesh.T, mesh.vertices()) + different_faces - mesh.tets();
  result.components = connected_components(mesh).count;
  for (int region : mesh.region) ++result.regions[region];
  const MatrixX3i boundary = boundary_triangles(mesh, faces);
  result.boundary_triangles = static_cast<int>(boundary.rows());
  result.boundary_euler =
      used_vertices(boundary, mesh.vertices()) - count_edges(boundary, mesh.vertices()) + result.boundary_triangles;
  result.area = area_of(mesh.X, boundary);
  inspect_shapes(mesh, result);
  TetMesh mended = mesh;
  try {
    result.problems = repair(mended).lines();
    refuse_folds(mended, "mesh");
  } catch (const Error& error) {
    result.problems.push_back(error.what());
  }
  if (shared.overlapping > 0) {
    result.problems.push_back(some(shared.overlapping, "face", "faces") + " of more than two tetrahedra: they overlap");
  } else {
    inspect_topology(mesh, faces, boundary, result);
  }
}

/// Open edges, edges of more than two triangles, and edges whose two triangles are wound against each other.
void find_bad_edges(const TriangleSurface& surface, MeshInspection& result) {
  struct Edge {
    std::array<int, 2> ends;
    bool forward;
  };
  std::vector<Edge> edges;
  for (int f = 0; f < surface.faces(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const int a = surface.triangles(f, c), b = surface.triangles(f, (c + 1) % 3);
      if (a != b) edges.push_back({{std::min(a, b), std::max(a, b)}, a < b});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.ends < b.ends; });
  int different_edges = 0, open = 0, many = 0, turned = 0;
  for (size_t i = 0, next = 0; i < edges.size(); i = next) {
    while (next < edges.size() && edges[next].ends == edges[i].ends) ++next;
    ++different_edges;
    open += next - i == 1;
    many += next - i > 2;
    turned += next - i == 2 && edges[i].forward == edges[i + 1].forward;
  }
  result.euler = used_vertices(surface.triangles, surface.vertices()) - different_edges + surface.faces();
  result.closed = open == 0;
  const auto note = [&](int count, const char* what) {
    if (count > 0) result.problems.push_back(some(count, "edge ", "edges ") + what);
  };
  note(open, "of one triangle only: the surface is open there");
  note(many, "of more than two triangles");
  note(turned, "whose two triangles are wound against each other");
}

void find_bad_triangles(const TriangleSurface& surface, MeshInspection& result) {
  std::vector<std::array<int, 3>> corners;
  int flat = 0;
  for (int f = 0; f < surface.faces(); ++f) {
    const auto v = surface.triangles.row(f);
    corners.push_back({v[0], v[1], v[2]});
    const Vec3 a = surface.X.row(v[0]), b = surface.X.row(v[1]), c = surface.X.row(v[2]);
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    flat += !((b - a).cross(c - a).norm() > 1e-10 * longest * longest);
  }
  const int twins = surface.faces() - different(sorted_tuples(std::move(corners)));
  if (flat > 0) result.problems.push_back(some(flat, "triangle", "triangles") + " without area");
  if (twins > 0) result.problems.push_back(some(twins, "duplicate triangle", "duplicate triangles"));
  const int unused = surface.vertices() - used_vertices(surface.triangles, surface.vertices());
  if (unused > 0) result.problems.push_back(some(unused, "vertex", "vertices") + " of no triangle");
  std::vector<std::array<double, 3>> places;
  for (int i = 0; i < surface.vertices(); ++i) places.push_back({surface.X(i, 0), surface.X(i, 1), surface.X(i, 2)});
  std::sort(places.begin(), places.end());
  const auto same = places.end() - std::unique(places.begin(), places.end());
  if (same > 0) {
    result.problems.push_back(some(static_cast<int>(same), "vertex", "vertices") + " at the same place as another one");
  }
}

void inspect_surface(const TriangleSurface& surface, MeshInspection& result) {
  find_bad_edges(surface, result);
  find_bad_triangles(surface, result);
  result.components = surface_parts(surface.triangles);
  result.area = area_of(surface.X, surface.triangles);
  double six = 0;  // by the divergence theorem, about the middle to lose fewer digits
  const Vec3 middle = (result.low + result.high) / 2;
  for (int f = 0; f < surface.faces(); ++f) {
    const auto corner = [&](int c) -> Vec3 { return surface.X.row(surface.triangles(f, c)).transpose() - middle; };
    six += corner(0).cross(corner(1)).dot(corner(2));
  }
  if (result.closed) result.volume = six / 6;
  if (result.closed && find_pinches(surface.triangles).count() == 0) result.genus = surface_genus(surface.triangles);
  if (result.volume < 0) result.problems.push_back("the surface is inside out: its triangles face inwards");
}

}  // namespace

Histogram::Histogram(std::vector<double> bounds) : bounds(std::move(bounds)), counts(this->bounds.size() - 1, 0) {}

void Histogram::add(double value) {
  const auto above = std::upper_bound(bounds.begin(), bounds.end(), value) - bounds.begin();
  ++counts[std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(counts.size()) - 1)];
}

Histogram MeshInspection::dihedral_classes() {
  std::vector<double> bounds;
  for (int degrees = 0; degrees <= 180; degrees += 10) bounds.push_back(degrees);
  return Histogram(bounds);
}

MeshInspection inspect(const LoadedMesh& loaded) {
  MeshInspection result;
  result.tets = loaded.has_tets();
  const MatrixX3d& X = result.tets ? loaded.mesh.X : loaded.surface.X;
  result.vertices = static_cast<int>(X.rows());
  result.cells = result.tets ? loaded.mesh.tets() : loaded.surface.faces();
  if (result.vertices == 0 || result.cells == 0) throw Error("an empty mesh has nothing to look at");
  result.low = X.colwise().minCoeff();
  result.high = X.colwise().maxCoeff();
  if (result.tets) {
    inspect_tets(loaded.mesh, result);
    if (loaded.shape) compare_with_shape(*loaded.shape, result);
  } else {
    inspect_surface(loaded.surface, result);
  }
  return result;
}

}  // namespace brio

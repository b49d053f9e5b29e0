#include "brio/mesh/cutting/cut.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/cutting/separate.hpp"
#include "brio/mesh/surface.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace brio {
namespace {

constexpr int kGrain = 256;  // edges or vertices: a question to a surface is short

/// Which vertices the surface is taken to go through, and where it goes through edges between the others.
struct Crossings {
  std::vector<char> on;
  std::vector<VertexOrigin> edges;
};

Crossings find_crossings(const TetMesh& mesh, const MatrixX3d& x, const CuttingSurface& surface, double snap) {
  const std::vector<std::array<int, 2>> edges = find_edges(mesh);
  VectorXd shortest = VectorXd::Constant(x.rows(), std::numeric_limits<double>::infinity());
  for (const auto& [a, b] : edges) {
    const double length = (x.row(a) - x.row(b)).norm();
    shortest[a] = std::min(shortest[a], length);
    shortest[b] = std::min(shortest[b], length);
  }
  Crossings found;
  found.on.assign(x.rows(), 0);
  parallel_for(mesh.vertices(), kGrain, [&](int begin, int end) {
    for (int v = begin; v < end; ++v)
      found.on[v] = std::isfinite(shortest[v]) && surface.distance(x.row(v)) <= snap * shortest[v];
  });

  constexpr double kNowhere = -1;
  std::vector<double> at(edges.size());
  parallel_for(static_cast<int>(edges.size()), kGrain, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      const auto [a, b] = edges[e];
      const bool asked = !found.on[a] && !found.on[b];
      at[e] = asked ? surface.crossing(x.row(a), x.row(b)).value_or(kNowhere) : kNowhere;
    }
  });
  std::vector<char> near = found.on;
  for (size_t e = 0; e < edges.size(); ++e) {
    if (at[e] == kNowhere) continue;
    if (at[e] < snap) near[edges[e][0]] = 1;
    if (at[e] > 1 - snap) near[edges[e][1]] = 1;
  }
  for (size_t e = 0; e < edges.size(); ++e)
    if (at[e] != kNowhere && !near[edges[e][0]] && !near[edges[e][1]])
      found.edges.push_back({edges[e][0], edges[e][1], at[e]});
  found.on = std::move(near);
  return found;
}

/// A point that tells on which side a tetrahedron is: the middle of those corners that are not on the surface.
Vec3 inner_point(const TetMesh& mesh, const MatrixX3d& x, const std::vector<char>& on, int tet) {
  Vec3 sum = Vec3::Zero(), all = Vec3::Zero();
  int count = 0;
  for (int v : mesh.T.row(tet)) {
    all += x.row(v);
    if (on[v]) continue;
    sum += x.row(v);
    ++count;
  }
  return count > 0 ? Vec3(sum / count) : Vec3(all / 4);
}

/// The shared faces with tetrahedra on either side of the surface; through elements only those that lie on it.
std::vector<char> find_cut_faces(const TetMesh& mesh, const MatrixX3d& x, const CuttingSurface& surface,
                                 const std::vector<char>& on, CutOptions::Through through, const Faces& faces) {
  std::vector<char> cut(faces.shared.size(), 0);
  parallel_for(static_cast<int>(cut.size()), kGrain, [&](int begin, int end) {
    for (int f = begin; f < end; ++f) {
      const auto [one, other] = faces.shared[f];
      const auto corners = vertices_of(mesh, one);
      const bool on_it = std::all_of(corners.begin(), corners.end(), [&](int v) { return on[v]; });
      if (through == CutOptions::Through::elements && !on_it) continue;
      cut[f] =
          surface.crossing(inner_point(mesh, x, on, tet_of(one)), inner_point(mesh, x, on, tet_of(other))).has_value();
    }
  });
  return cut;
}

CutMesh unchanged(const TetMesh& mesh) {
  CutMesh same;
  same.mesh = mesh;
  for (int v = 0; v < mesh.vertices(); ++v) same.origin.push_back({v, v, 0});
  same.old_tet.resize(mesh.tets());
  std::iota(same.old_tet.begin(), same.old_tet.end(), 0);
  same.pieces = same.pieces_before = connected_components(mesh).count;
  return same;
}

}  // namespace

CutMesh cut_mesh(const TetMesh& mesh, const MatrixX3d& x, const CuttingSurface& surface, const CutOptions& options) {
  if (x.rows() != mesh.vertices()) throw Error("{} positions for {} vertices", x.rows(), mesh.vertices());
  if (!x.allFinite()) throw Error("a body with positions that are not finite cannot be cut");
  if (!(options.snap > 0 && options.snap <= 0.5)) throw Error("snap = {}: expected 0 < snap <= 0.5", options.snap);

  CutMesh cut = unchanged(mesh);
  Crossings crossings;
  if (options.through == CutOptions::Through::elements) {
    crossings = find_crossings(mesh, x, surface, options.snap);
  } else {
    crossings.on.assign(mesh.vertices(), 0);
  }
  SplitMesh split = split_edges(mesh, crossings.edges);
  MatrixX3d split_x(split.mesh.vertices(), 3);
  split_x << x, carried(crossings.edges, x);
  crossings.on.resize(split.mesh.vertices(), 1);

  const Faces faces = find_faces(split.mesh);
  const std::vector<char> chosen = find_cut_faces(split.mesh, split_x, surface, crossings.on, options.through, faces);
  const std::vector<int> copies = separate(split.mesh, faces, chosen);
  if (copies.empty()) return cut;

  cut.origin.insert(cut.origin.end(), crossings.edges.begin(), crossings.edges.end());
  for (int v : copies) cut.origin.push_back(cut.origin[v]);
  cut.mesh = std::move(split.mesh);
  cut.mesh.X = carried(cut.origin, mesh.X);
  cut.old_tet = std::move(split.old_tet);
  cut.subdivided = split.subdivided;
  cut.faces = static_cast<int>(std::count(chosen.begin(), chosen.end(), 1));
  cut.pieces = connected_components(cut.mesh).count;
  return cut;
}

}  // namespace brio

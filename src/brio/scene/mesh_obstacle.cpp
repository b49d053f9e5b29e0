#include "brio/scene/mesh_obstacle.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/generators/generators.hpp"
#include "brio/mesh/solids/winding_number.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/placement.hpp"
#include "brio/scene/source_mesh.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace brio {
namespace {

TriangleSurface source_surface(const ObstacleSpec& spec, std::vector<std::string>& notes) {
  const MeshSpec& mesh = *spec.mesh;
  if (mesh.source == MeshSpec::Source::springs) {
    SpringNet net = make_item(spring_generators(), mesh.generator);
    if (net.triangles.rows() == 0)
      throw Error("{}.mesh.springs = \"{}\": has no triangles to touch; take a cloth", spec.shape.path,
                  mesh.generator.name);
    return make_surface(std::move(net.X), std::move(net.triangles));
  }
  if (mesh.source == MeshSpec::Source::generate) return boundary_surface(source_mesh(mesh).mesh);
  LoadedMesh loaded = load_surface(mesh.file);
  for (const std::string& message : loaded.messages) notes.push_back(fmt::format("{}.mesh: {}", spec.shape.path, message));
  return make_surface(std::move(loaded.surface.X), std::move(loaded.surface.triangles));
}

/// Vertices at one place are one: files of textures and of loose triangles have several.
int join_vertices(TriangleSurface& surface) {
  std::map<std::tuple<double, double, double>, int> known;
  std::vector<int> number(surface.vertices());
  std::vector<Index> kept;
  for (int v = 0; v < surface.vertices(); ++v) {
    const Vec3 x = surface.X.row(v);
    const auto [at, is_new] = known.try_emplace({x[0], x[1], x[2]}, static_cast<int>(kept.size()));
    if (is_new) kept.push_back(v);
    number[v] = at->second;
  }
  const int joined = surface.vertices() - static_cast<int>(kept.size());
  if (joined == 0) return 0;
  surface.X = MatrixX3d(surface.X(kept, Eigen::all));
  for (int& v : surface.triangles.reshaped()) v = number[v];
  return joined;
}

/// Drops triangles without area, and those that are there already. How many of each.
std::pair<int, int> drop_bad_triangles(TriangleSurface& surface) {
  constexpr double kFlat = 1e-10;  // of the longest edge squared
  std::set<std::array<int, 3>> known;
  std::vector<Index> kept;
  int flat = 0, twice = 0;
  for (Index t = 0; t < surface.triangles.rows(); ++t) {
    std::array<int, 3> corner = {surface.triangles(t, 0), surface.triangles(t, 1), surface.triangles(t, 2)};
    const Vec3 a = surface.X.row(corner[0]), b = surface.X.row(corner[1]), c = surface.X.row(corner[2]);
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    std::sort(corner.begin(), corner.end());
    if (!((b - a).cross(c - a).norm() > kFlat * longest))
      ++flat;
    else if (!known.insert(corner).second)
      ++twice;
    else
      kept.push_back(t);
  }
  if (flat + twice > 0) surface.triangles = MatrixX3i(surface.triangles(kept, Eigen::all));
  return {flat, twice};
}

void drop_unused_vertices(TriangleSurface& surface) {
  const std::vector<int> used = surface_vertices(surface.triangles);
  if (static_cast<int>(used.size()) == surface.vertices()) return;
  std::vector<int> number(surface.vertices(), -1);
  for (size_t i = 0; i < used.size(); ++i) number[used[i]] = static_cast<int>(i);
  surface.X = MatrixX3d(surface.X(used, Eigen::all));
  for (int& v : surface.triangles.reshaped()) v = number[v];
}

}  // namespace

TriangleSurface load_mesh_obstacle(const ObstacleSpec& spec, std::vector<std::string>& notes) {
  const std::string where = spec.shape.path + ".mesh";
  TriangleSurface surface = source_surface(spec, notes);
  if (!surface.X.allFinite()) throw Error("{}: has coordinates that are no numbers", where);
  const BodyPlacement place(spec.mesh->transform);
  for (Index v = 0; place.moves() && v < surface.X.rows(); ++v)
    surface.X.row(v) = place.point(surface.X.row(v).transpose()).transpose();
  const auto at = [](const Vec3& x) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", x[0], x[1], x[2]); };
  const auto note = [&](int count, const std::string& text) {
    if (count > 0) notes.push_back(fmt::format("{}: {} {}", where, count, text));
  };
  note(join_vertices(surface), "vertices were at the place of another one and are joined with it");
  const auto [flat, twice] = drop_bad_triangles(surface);
  note(flat, "triangles without area were left out");
  note(twice, "triangles were there already and were left out");
  drop_unused_vertices(surface);
  if (surface.faces() == 0) throw Error("{}: no triangle with an area is left, so there is nothing to touch", where);
  const SurfaceProblems problems = check_surface(surface);
  note(problems.open_edges, fmt::format("open edges, the first at {}: bodies touch the surface from both sides and can "
                                        "go around its rim",
                                        at(problems.first_open)));
  note(problems.nonmanifold_edges, "edges have more than two triangles; all of these are touched");
  note(problems.crossings, fmt::format("pairs of its triangles pass through each other, the first near {}; bodies touch "
                                       "all of them, also those that are inside",
                                       at(problems.first_crossing)));
  return surface;
}

}  // namespace brio

#include "brio/mesh/solids/winding_number.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/solids/winding_tree.hpp"
#include "brio/mesh/topology.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace brio {
namespace {

Triangle triangle_of(const TriangleSurface& surface, int f) {
  return {surface.X.row(surface.triangles(f, 0)), surface.X.row(surface.triangles(f, 1)),
          surface.X.row(surface.triangles(f, 2))};
}

double enclosed_volume(const TriangleSurface& surface) {
  const Vec3 middle = surface.X.colwise().mean();
  double six = 0;
  for (int f = 0; f < surface.faces(); ++f) {
    const Triangle t = triangle_of(surface, f);
    six += (t[0] - middle).cross(t[1] - middle).dot(t[2] - middle);
  }
  return six / 6;
}

/// What a closed manifold that does not run through itself encloses; nothing for others, or for one with cavities or
/// parts in parts, whose number is not that of the surface's.
std::optional<ShapeFacts> surface_facts(const TriangleSurface& surface) {
  const SurfaceProblems problems = check_surface(surface);
  if (problems.open_edges + problems.nonmanifold_edges + problems.inconsistent_edges + problems.crossings > 0)
    return {};
  if (problems.flat_triangles > 0 || find_pinches(surface.triangles).count() > 0) return {};
  const int parts = surface_parts(surface.triangles);
  if (parts > 1) return {};
  return ShapeFacts{std::fabs(enclosed_volume(surface)), 1, surface_genus(surface.triangles)};
}

class WindingSolid : public SignedDistance {
 public:
  explicit WindingSolid(const TriangleSurface& surface)
      : tree_(surface), facing_(enclosed_volume(surface) < 0 ? -1 : 1), facts_(surface_facts(surface)) {}
  /// The winding number jumps at the surface and passes smoothly from 0 to 1 across a hole. The factor is 1 outside,
  /// -1 inside, and closes the hole half way between.
  double value(const Vec3& x) const override {
    return tree_.distance(x) * std::clamp(1 - 2 * facing_ * tree_.winding(x), -1.0, 1.0);
  }
  Box bounds() const override { return tree_.bounds(); }
  std::optional<ShapeFacts> facts() const override { return facts_; }
  double cost() const override { return 10; }

 private:
  WindingTree tree_;
  double facing_;
  std::optional<ShapeFacts> facts_;
};

/// Whether the segment from a to b runs through the triangle; touching does not count.
bool pierces(const Vec3& a, const Vec3& b, const Triangle& t) {
  const auto side = [](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    return (q - p).cross(r - p).dot(s - p);
  };
  const double at_a = side(t[0], t[1], t[2], a), at_b = side(t[0], t[1], t[2], b);
  if (!(at_a * at_b < 0)) return false;
  const double u = side(a, b, t[0], t[1]), v = side(a, b, t[1], t[2]), w = side(a, b, t[2], t[0]);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

bool share_a_vertex(const TriangleSurface& surface, int f, int g) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      if (surface.triangles(f, a) == surface.triangles(g, b)) return true;
  return false;
}

void count_crossings(const TriangleSurface& surface, SurfaceProblems& problems) {
  const WindingTree tree(surface);
  std::vector<int> crossed(surface.faces(), 0);
  parallel_for(surface.faces(), 256, [&](int begin, int end) {
    for (int f = begin; f < end; ++f) {
      const Triangle t = triangle_of(surface, f);
      tree.for_each_near(Box(t[0]).extend(t[1]).extend(t[2]), [&](int g) {
        if (g <= f || share_a_vertex(surface, f, g)) return;
        const Triangle other = triangle_of(surface, g);
        bool crosses = false;
        for (int c = 0; c < 3 && !crosses; ++c)
          crosses = pierces(t[c], t[(c + 1) % 3], other) || pierces(other[c], other[(c + 1) % 3], t);
        crossed[f] += crosses;
      });
    }
  });
  for (int f = 0; f < surface.faces(); ++f) {
    if (problems.crossings == 0 && crossed[f] > 0) problems.first_crossing = triangle_of(surface, f)[0];
    problems.crossings += crossed[f];
  }
}

}  // namespace

SurfaceProblems check_surface(const TriangleSurface& surface) {
  SurfaceProblems problems;
  // For each edge from the smaller to the larger vertex: how often it is walked that way, and back.
  std::map<std::pair<int, int>, std::pair<int, int>> edges;
  for (int f = 0; f < surface.faces(); ++f) {
    const Triangle t = triangle_of(surface, f);
    if (!((t[1] - t[0]).cross(t[2] - t[0]).norm() > 0)) ++problems.flat_triangles;
    for (int c = 0; c < 3; ++c) {
      const int a = surface.triangles(f, c), b = surface.triangles(f, (c + 1) % 3);
      if (a == b) continue;
      ++(a < b ? edges[{a, b}].first : edges[{b, a}].second);
    }
  }
  for (const auto& [edge, walked] : edges) {
    const int count = walked.first + walked.second;
    if (count == 1) {
      if (problems.open_edges++ == 0) problems.first_open = surface.X.row(edge.first);
    } else if (count > 2) {
      ++problems.nonmanifold_edges;
    } else if (walked.first != 1) {
      ++problems.inconsistent_edges;
    }
  }
  problems.inside_out = enclosed_volume(surface) < 0;
  count_crossings(surface, problems);
  return problems;
}

std::vector<std::string> SurfaceProblems::messages() const {
  std::vector<std::string> lines;
  const auto at = [](const Vec3& x) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", x[0], x[1], x[2]); };
  if (open_edges > 0) {
    lines.push_back(
        fmt::format("the surface has holes: {} open edges, the first at {}; they are closed half way in "
                    "between, which is a guess",
                    open_edges, at(first_open)));
  }
  if (nonmanifold_edges > 0) lines.push_back(fmt::format("{} edges have more than two triangles", nonmanifold_edges));
  if (inconsistent_edges > 0) {
    lines.push_back(
        fmt::format("{} edges lie between triangles that face opposite ways; what is inside is uncertain near them",
                    inconsistent_edges));
  }
  if (flat_triangles > 0) lines.push_back(fmt::format("{} triangles have no area", flat_triangles));
  if (crossings > 0) {
    lines.push_back(
        fmt::format("{} pairs of triangles run through each other, the first near {}; everything that is "
                    "enclosed at least once is filled",
                    crossings, at(first_crossing)));
  }
  if (inside_out) lines.emplace_back("the surface faces inwards; it was turned");
  return lines;
}

SolidPointer make_surface_solid(const TriangleSurface& surface) {
  if (surface.faces() == 0) throw Error("the surface has no triangles");
  if (!surface.X.allFinite()) throw Error("the surface has coordinates that are not finite");
  const double extent = (surface.X.colwise().maxCoeff() - surface.X.colwise().minCoeff()).norm();
  if (!(std::fabs(enclosed_volume(surface)) > 1e-12 * extent * extent * extent)) {
    throw Error("the surface encloses no volume; a closed one is needed");
  }
  return std::make_shared<WindingSolid>(surface);
}

double winding_number(const TriangleSurface& surface, const Vec3& x) {
  double sum = 0;
  for (int f = 0; f < surface.faces(); ++f) sum += winding_of(triangle_of(surface, f), x);
  return sum;
}

}  // namespace brio
